package dev.sutura.sdk;

import dev.sutura.sdk.model.ClinicalReport;

/**
 * A report with the tag that a review of it needs.
 *
 * @param report its content
 * @param etag the tag of the answer
 */
public record TaggedReport(ClinicalReport report, String etag) {
    /** The report's id. */
    public String id() {
        return report.id();
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "TaggedReport[id=" + report.id() + "]";
    }
}
