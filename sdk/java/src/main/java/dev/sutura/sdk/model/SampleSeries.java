// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * Photos of one wound, sent in their order for one patient and wound.
 *
 * @param daysApart Between the capturedAt of one photo and the next.
 * @param seen Of the last report.
 */
public record SampleSeries(
    String name,
    Long daysApart,
    Seen seen
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "SampleSeries";
    }

    /** Of the last report. */
    public record Seen(
        String verdict,
        List<String> flags
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Seen";
        }
    }
}
