package dev.sutura.sdk;

import dev.sutura.sdk.model.AnalysisJob;
import java.time.Duration;
import java.util.function.Consumer;

/** How a job is waited for. */
public final class WaitOptions {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);
    private Duration timeout = DEFAULT_TIMEOUT;
    private Duration interval;
    private boolean longPoll = true;
    private boolean throwOnError = true;
    private Consumer<AnalysisJob> onState = job -> { };

    /** For the whole job, through outages of the service; five minutes by default. */
    public WaitOptions timeout(Duration given) {
        timeout = given;
        return this;
    }

    /** Between two looks, where the service does not hold its answer; by default what it asks for. */
    public WaitOptions interval(Duration given) {
        interval = given;
        return this;
    }

    /** Whether the service may hold its answer until the job has ended; true by default. */
    public WaitOptions longPoll(boolean given) {
        longPoll = given;
        return this;
    }

    /** Whether a job that ended in error is thrown as {@link JobFailedException}; true by default. */
    public WaitOptions throwOnError(boolean given) {
        throwOnError = given;
        return this;
    }

    /** Is given the job after each look. */
    public WaitOptions onState(Consumer<AnalysisJob> given) {
        onState = given;
        return this;
    }

    Duration timeout() {
        return timeout;
    }

    Duration interval() {
        return interval;
    }

    boolean longPoll() {
        return longPoll;
    }

    boolean throwOnError() {
        return throwOnError;
    }

    Consumer<AnalysisJob> onState() {
        return onState;
    }
}
