package dev.sutura.sdk;

import dev.sutura.sdk.model.AnalysisJob;

/** The job is still running after the time given. It goes on: wait for it again. */
public final class WaitTimeoutException extends SuturaException {
    // Not written out with the exception: a job has clinical text.
    private final transient AnalysisJob job;

    WaitTimeoutException(String message, AnalysisJob job) {
        super(message, Facts.NONE);
        this.job = job;
    }

    /** As last seen; null where it was never seen. */
    public AnalysisJob job() {
        return job;
    }
}
