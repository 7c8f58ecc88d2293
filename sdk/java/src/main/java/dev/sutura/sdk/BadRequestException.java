package dev.sutura.sdk;

/** 400: the request or a field of it is wrong. */
public final class BadRequestException extends SuturaException {
    BadRequestException(String message, Facts facts) {
        super(message, facts);
    }
}
