package dev.sutura.sdk;

/** Addresses of jobs. */
final class Jobs {
    private Jobs() {
    }

    static String path(String jobId) {
        return "/api/v1/analysis/jobs/" + Segment.of("jobId", jobId);
    }
}
