package dev.sutura.sdk;

/** 410: expired or deleted. */
public final class GoneException extends SuturaException {
    GoneException(String message, Facts facts) {
        super(message, facts);
    }
}
