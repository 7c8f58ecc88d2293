// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * A report that waits for a person to accept, correct, reject or reassign it.
 *
 * @param capturedAsStated capturedAt as its sender stated it: with their offset, or a day (2026-11-27), month or
 * year alone, to which nobody said an hour; capturedAt is then where it begins. Absent: nothing was stated.
 * @param reasons site_mismatch, duplicate_photo, which_outline, no_wound_in_region, area_jump, area_implausible,
 * before_birth, sandbox; more may come.
 */
public record WaitingReport(
    String reportId,
    String capturedAt,
    String capturedAsStated,
    List<String> reasons,
    Links links
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WaitingReport[reportId=" + reportId + "]";
    }

    /** Links. */
    public record Links(
        String report
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Links";
        }
    }
}
