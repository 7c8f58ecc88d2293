package dev.sutura.sdk;

/** The file is no JPEG, PNG or WebP; nothing was sent. */
public final class UnsupportedImageException extends SuturaException {
    UnsupportedImageException(String message, Facts facts) {
        super(message, facts);
    }
}
