package dev.sutura.sdk;

/** 413, or a photo over the limit that was not sent at all. */
public final class PayloadTooLargeException extends SuturaException {
    PayloadTooLargeException(String message, Facts facts) {
        super(message, facts);
    }
}
