// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk;

import dev.sutura.sdk.model.AnalysisJob;
import dev.sutura.sdk.model.AnalysisJobList;
import dev.sutura.sdk.model.AnalysisJobRequest;

/** Operations on analysis. */
abstract class AnalysisOperations extends Operations {
    AnalysisOperations(Calls calls) {
        super(calls);
    }

    /**
     * List jobs
     *
     * @param query which ones; null: all
     */
    public AnalysisJobList listJobs(ListJobsQuery query) {
        return calls.json(Call.of("GET", "/api/v1/analysis/jobs").query(query), AnalysisJobList.class, "items");
    }

    /** List jobs */
    public AnalysisJobList listJobs() {
        return listJobs(null);
    }

    /**
     * List jobs: every item of all pages, read when needed.
     *
     * @param query which ones; null: all
     */
    public Pages<AnalysisJob> iterateJobs(ListJobsQuery query) {
        return new Pages<>(cursor -> listJobs(Query.after(query, ListJobsQuery::new, cursor)), AnalysisJobList::items, AnalysisJobList::nextCursor);
    }

    /**
     * Create an analysis job
     *
     * @param idempotencyKey the same for every repeat of this; null: a new one
     */
    public AnalysisJob createAnalysisJob(AnalysisJobRequest request, String idempotencyKey) {
        return calls.json(Call.of("POST", "/api/v1/analysis/jobs").json(request).key(idempotencyKey), AnalysisJob.class, "id", "status");
    }

    /** Create an analysis job */
    public AnalysisJob createAnalysisJob(AnalysisJobRequest request) {
        return createAnalysisJob(request, null);
    }

    /** Read a job */
    public AnalysisJob getJob(String jobId) {
        return calls.json(Call.of("GET", "/api/v1/analysis/jobs/" + Segment.of("jobId", jobId)), AnalysisJob.class, "id", "status");
    }
}
