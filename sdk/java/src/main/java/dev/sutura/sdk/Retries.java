package dev.sutura.sdk;

import java.time.Duration;
import java.util.Set;

/** When a request is repeated, and after what pause. */
final class Retries {
    private static final long FIRST_PAUSE_MS = 500;
    private static final long LONGEST_PAUSE_MS = 8000;
    private static final int HIGHEST_DOUBLING = 16;
    private static final Set<Integer> PASSING = Set.of(408, 429, 502, 503, 504);

    private Retries() {
    }

    /** Null: not repeated. {@code failures} counts those before this one. */
    static Duration pauseBefore(SuturaException fault, int failures, Call call, Settings settings) {
        boolean isAllowed = failures < settings.maxRetries() && (call.isRepeatable || !mayBeDone(fault));
        boolean isOwnFirst = call.isKeyed && failures > 0 && "idempotency.in_flight".equals(fault.code());
        return isAllowed && (isOwnFirst || isPassing(fault)) ? pauseOf(fault, failures, settings) : null;
    }

    /** The same for a wait, however many failed before. */
    static Duration pauseInOutage(SuturaException fault, int failures, Settings settings) {
        return isPassing(fault) ? pauseOf(fault, failures, settings) : null;
    }

    private static Duration pauseOf(SuturaException fault, int failures, Settings settings) {
        if (fault.retryAfter() != null) {
            return fault.retryAfter().compareTo(settings.maxRetryAfter()) > 0 ? null : fault.retryAfter();
        }
        long most = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS << Math.min(failures, HIGHEST_DOUBLING));
        return Duration.ofMillis((long) (settings.time().random() * most));
    }

    private static boolean isPassing(SuturaException fault) {
        return fault instanceof NetworkException || fault instanceof RequestTimeoutException
            || (fault.status() != null && PASSING.contains(fault.status()));
    }

    /** Whether the service may have done it although it did not say so. A 503 may come of a fault on the way back. */
    private static boolean mayBeDone(SuturaException fault) {
        if (fault instanceof NetworkException) {
            return !"ECONNREFUSED".equals(fault.code()) && !"ENOTFOUND".equals(fault.code());
        }
        return fault.status() == null || fault.status() == 408 || fault.status() >= 500;
    }
}
