package dev.sutura.sdk;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The longest wait for an answer, or the longest silence where a body is on its way. */
final class Watch {
    private final Duration timeout;
    private volatile long endNanos;

    Watch(Duration timeout) {
        this.timeout = timeout;
        refresh();
    }

    /** Something moved. */
    void refresh() {
        endNanos = System.nanoTime() + timeout.toNanos();
    }

    /** The exchange ends where time is up or the thread is interrupted. */
    <T> T await(CompletableFuture<T> future, String origin) throws ExecutionException {
        while (true) {
            try {
                return future.get(Math.max(1, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException fault) {
                if (endNanos - System.nanoTime() <= 0) {
                    future.cancel(true);
                    throw new RequestTimeoutException(
                        "No answer from " + origin + " within " + timeout.toMillis() + " ms.", Facts.NONE);
                }
            } catch (InterruptedException fault) {
                future.cancel(true);
                throw interrupted();
            }
        }
    }

    static CallInterruptedException interrupted() {
        Thread.currentThread().interrupt();
        return new CallInterruptedException("The call was interrupted. What was sent may have been done.",
            Facts.NONE);
    }
}
