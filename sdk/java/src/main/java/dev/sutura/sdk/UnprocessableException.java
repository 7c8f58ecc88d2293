package dev.sutura.sdk;

/** 422, for example {@code image.unreadable}. */
public final class UnprocessableException extends SuturaException {
    UnprocessableException(String message, Facts facts) {
        super(message, facts);
    }
}
