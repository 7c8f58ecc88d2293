package dev.sutura.sdk;

import dev.sutura.sdk.model.AnalysisJob;
import dev.sutura.sdk.model.JobError;

/** The job ended in {@code error}; {@code code} says why. */
public final class JobFailedException extends SuturaException {
    // Not written out with the exception: a job has clinical text.
    private final transient AnalysisJob job;

    JobFailedException(AnalysisJob job) {
        super(sentence(job), Facts.ofCode(job.error() == null ? null : job.error().code()));
        this.job = job;
    }

    private static String sentence(AnalysisJob job) {
        JobError error = job.error();
        String detail = error == null || error.detail() == null ? "The analysis ended in error." : error.detail();
        String code = error == null || error.code() == null ? "no code" : error.code();
        return detail + " (" + code + ", job " + job.id() + ")";
    }

    /** The job with its error. */
    public AnalysisJob job() {
        return job;
    }

    /** Whether a new job on the same photo may succeed. */
    public boolean isRetryable() {
        return job.error() != null && Boolean.TRUE.equals(job.error().retryable());
    }
}
