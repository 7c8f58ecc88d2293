// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.Map;

/**
 * A terminal job never changes state again.
 *
 * @param status queued, processing, completed or error. A state that you do not know counts as still running.
 * @param capturedAsStated capturedAt as its sender stated it: with their offset, or a day (2026-11-27), month or
 * year alone, to which nobody said an hour; capturedAt is then where it begins. Absent: nothing was stated.
 * @param priority One of: routine, stat.
 * @param environment One of: test, live.
 * @param sandbox The outcome that metadata.sandbox asked for; absent: none, and in live always.
 * @param attempts How often a worker took the job, without the times when the service was at fault.
 * @param retryOf The failed job that an operator had done again by this one, at no charge.
 * @param result With the status completed.
 * @param error With the status error; never together with result.
 */
public record AnalysisJob(
    String id,
    String status,
    String imageId,
    String clinicalContext,
    JobSubject subject,
    String capturedAt,
    String capturedAsStated,
    Calibration calibration,
    StatedObservations clinicianObservations,
    String priority,
    Map<String, String> metadata,
    String environment,
    String sandbox,
    String createdAt,
    String startedAt,
    String completedAt,
    Long attempts,
    String retryOf,
    WoundResult result,
    JobError error,
    Links links
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "AnalysisJob[id=" + id + "]";
    }

    /**
     * Links.
     *
     * @param image What is known of the photo; 410 once it was erased.
     * @param report With the status completed: the clinical report, in one of its representations.
     * @param artifacts With the status completed.
     */
    public record Links(
        String self,
        String image,
        String report,
        Artifacts artifacts
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Links";
        }

        /** With the status completed. */
        public record Artifacts(
            String mask,
            String overlay,
            String tissue
        ) {
            /** Without content: what is printed may end in a log. */
            @Override
            public String toString() {
                return "Artifacts";
            }
        }
    }
}
