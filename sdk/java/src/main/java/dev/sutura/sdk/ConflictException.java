package dev.sutura.sdk;

/** 409, for example {@code image.in_use}. */
public final class ConflictException extends SuturaException {
    ConflictException(String message, Facts facts) {
        super(message, facts);
    }
}
