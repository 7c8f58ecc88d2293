package dev.sutura.sdk;

/** 5xx. */
public final class ServerException extends SuturaException {
    ServerException(String message, Facts facts) {
        super(message, facts);
    }
}
