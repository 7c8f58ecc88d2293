// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * Another assessment of the wound, measured or not.
 *
 * @param capturedAsStated capturedAt as its sender stated it: with their offset, or a day (2026-11-27), month or
 * year alone, to which nobody said an hour; capturedAt is then where it begins. Absent: nothing was stated.
 */
public record AssessmentLink(
    String reportId,
    String jobId,
    String imageId,
    String capturedAt,
    String capturedAsStated
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "AssessmentLink[imageId=" + imageId + "]";
    }
}
