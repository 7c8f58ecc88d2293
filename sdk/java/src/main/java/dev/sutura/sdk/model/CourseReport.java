// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * All assessments of one wound between two moments.
 *
 * @param reports Present versions, oldest photo first; without those entered in error.
 */
public record CourseReport(
    ReportSubject subject,
    String from,
    String to,
    String issuedAt,
    List<ClinicalReport> reports
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "CourseReport";
    }
}
