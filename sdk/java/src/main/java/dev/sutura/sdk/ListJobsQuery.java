// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk;

/** Which items listJobs gives. */
public final class ListJobsQuery extends Query {
    /** Only jobs in this state. */
    public ListJobsQuery status(String status) {
        put("status", status);
        return this;
    }

    /** Only jobs of this patient, by your identifier. */
    public ListJobsQuery patientId(String patientId) {
        put("patientId", patientId);
        return this;
    }

    /** Only jobs of this wound, by your identifier. */
    public ListJobsQuery woundId(String woundId) {
        put("woundId", woundId);
        return this;
    }

    /** Only jobs created after this moment. */
    public ListJobsQuery createdAfter(String createdAfter) {
        put("createdAfter", createdAfter);
        return this;
    }

    /** Most jobs on the page. */
    public ListJobsQuery limit(long limit) {
        put("limit", String.valueOf(limit));
        return this;
    }

    /** The nextCursor of the page before, with the same filters. */
    public ListJobsQuery cursor(String cursor) {
        put("cursor", cursor);
        return this;
    }

    /**
     * Only jobs with this pair in their metadata, each pair as a parameter metadata.KEY=VALUE: metadata.case=4711.
     * At most 4 pairs, all of which one job has.
     */
    public ListJobsQuery metadata(String key, String value) {
        put("metadata." + key, value);
        return this;
    }
}
