// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * What an auditor looks for and does not find.
 *
 * @param code patient_not_named, site_not_stated, type_not_stated, no_assessment, start_not_measured,
 * end_not_measured, period_not_over, week_without_assessment, change_not_told, change_not_comparable,
 * area_not_measured, depth_not_stated, tissue_not_told, photo_deleted, awaiting_person, not_signed,
 * treatment_not_recorded; more may come.
 * @param from Of a time without an assessment.
 * @param reportIds The reports that lack it.
 */
public record EvidenceGap(
    String code,
    String from,
    String to,
    List<String> reportIds
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "EvidenceGap";
    }
}
