// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * What is known of one wound over some weeks, and what is missing.
 *
 * @param change From the first area of the period that stands in the series to the last; null: there are no two.
 * @param assessments Oldest photo first; without reports entered in error.
 * @param treatment Oldest first. Empty: none is recorded here, which does not say that none was done.
 */
public record WoundEvidence(
    ReportSubject subject,
    ReportHeading heading,
    String from,
    String to,
    String issuedAt,
    Change change,
    List<EvidenceAssessment> assessments,
    List<TreatmentStep> treatment,
    List<EvidenceGap> missing,
    Links links
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WoundEvidence";
    }

    /**
     * Change.
     *
     * @param areaPct Below 0: smaller than then.
     * @param areaPctInterval Holds the true change in nine of ten cases; absent in reports of release 0.1.
     * @param areaCm2PerWeek null within half a day.
     * @param marginAdvanceMmPerDay Area lost ÷ mean perimeter ÷ days; below 0: the margin retreated.
     * @param minimalDetectableChangePct A change in this direction that is smaller may come from taking the photo
     * anew (95 %).
     * @param warnings other_scale_source, poor_quality, other_model_version, doubtful_outline, treated_between; more
     * may come.
     */
    public record Change(
        Double days,
        Double areaCm2,
        Double areaPct,
        AreaPctInterval areaPctInterval,
        Double areaCm2PerWeek,
        Double marginAdvanceMmPerDay,
        Double minimalDetectableChangePct,
        Boolean beyondDetectable,
        List<String> warnings,
        String firstReportId,
        String lastReportId
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Change";
        }

        /** Holds the true change in nine of ten cases; absent in reports of release 0.1. */
        public record AreaPctInterval(
            Double lower,
            Double upper
        ) {
            /** Without content: what is printed may end in a log. */
            @Override
            public String toString() {
                return "AreaPctInterval";
            }
        }
    }

    /** Links. */
    public record Links(
        String self,
        String wound,
        String report
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Links";
        }
    }
}
