package dev.sutura.sdk;

/** 429: too many requests. */
public class RateLimitException extends SuturaException {
    RateLimitException(String message, Facts facts) {
        super(message, facts);
    }
}
