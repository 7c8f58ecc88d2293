package dev.sutura.sdk;

/** 429 {@code quota.exceeded}: the analyses of the day are used up. */
public final class QuotaExceededException extends RateLimitException {
    QuotaExceededException(String message, Facts facts) {
        super(message, facts);
    }
}
