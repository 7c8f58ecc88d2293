package dev.sutura.sdk;

/** 415: the service does not read this type. */
public final class UnsupportedMediaTypeException extends SuturaException {
    UnsupportedMediaTypeException(String message, Facts facts) {
        super(message, facts);
    }
}
