// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * Every version, kept for ever.
 *
 * @param items Oldest version first; all of them.
 * @param nextCursor For the next page; null at the end.
 */
public record ClinicalReportVersions(
    List<ClinicalReport> items,
    String nextCursor
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "ClinicalReportVersions";
    }
}
