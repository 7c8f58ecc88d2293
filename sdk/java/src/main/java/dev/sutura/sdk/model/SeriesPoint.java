// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * An earlier assessment.
 *
 * @param capturedAsStated capturedAt as its sender stated it: with their offset, or a day (2026-11-27), month or
 * year alone, to which nobody said an hour; capturedAt is then where it begins. Absent: nothing was stated.
 * @param sumOf The area is that of several wounds which have grown together since; absent: of one.
 */
public record SeriesPoint(
    String reportId,
    String jobId,
    String imageId,
    String capturedAt,
    String capturedAsStated,
    MeasuredValue areaCm2,
    List<SumOf> sumOf
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "SeriesPoint[imageId=" + imageId + "]";
    }

    /** SumOf. */
    public record SumOf(
        String woundRef,
        String reportId,
        Double areaCm2
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "SumOf[reportId=" + reportId + "]";
        }
    }
}
