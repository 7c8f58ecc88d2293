// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * Decision support, not a diagnosis.
 *
 * @param wound The wound asked for, or the one that it was merged into.
 * @param assessments Oldest photo first, by capture time; without those entered in error.
 */
public record WoundTimeline(
    Wound wound,
    List<TimelineAssessment> assessments
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WoundTimeline";
    }
}
