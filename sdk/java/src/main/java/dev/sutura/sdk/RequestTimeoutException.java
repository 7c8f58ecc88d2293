package dev.sutura.sdk;

/** No answer in time, or 408. */
public final class RequestTimeoutException extends SuturaException {
    RequestTimeoutException(String message, Facts facts) {
        super(message, facts);
    }
}
