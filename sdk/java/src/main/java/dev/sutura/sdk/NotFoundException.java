package dev.sutura.sdk;

/** 404: unknown, or not yours. */
public final class NotFoundException extends SuturaException {
    NotFoundException(String message, Facts facts) {
        super(message, facts);
    }
}
