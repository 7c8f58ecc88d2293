// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * One photo of the period: what was measured and stated, and who signed.
 *
 * @param status One of: preliminary, final, amended, corrected, entered-in-error.
 * @param capturedAsStated capturedAt as its sender stated it: with their offset, or a day (2026-11-27), month or
 * year alone, to which nobody said an hour; capturedAt is then where it begins. Absent: nothing was stated.
 * @param areaCm2 null where the photo has no scale: nothing is invented.
 * @param noTrendReason Why its area does not stand in the series; null: it does.
 * @param attention Why it waits for a person; empty: it does not.
 * @param depthCm As a clinician stated it; null: nobody did.
 * @param depthStatedAt Where it was stated on another day than the photo’s.
 * @param undermining Clock positions as seen by whoever faces the wound; 12 is as a rule towards the head.
 * @param tunnelling Clock positions as for undermining.
 * @param confirmedTissues Those whose share a clinician stated.
 * @param signed Whose decision stands behind the report; null: nobody’s.
 */
public record EvidenceAssessment(
    String reportId,
    Long version,
    String status,
    String capturedAt,
    String capturedAsStated,
    Boolean woundDetected,
    MeasuredValue areaCm2,
    String noTrendReason,
    List<String> attention,
    Double depthCm,
    String depthStatedAt,
    List<Undermining> undermining,
    List<Tunnel> tunnelling,
    TissueComposition tissue,
    List<String> confirmedTissues,
    String clinicalContext,
    Course course,
    String imageId,
    Boolean photoDeleted,
    Signed signed,
    Links links
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "EvidenceAssessment[imageId=" + imageId + "]";
    }

    /** Signed. */
    public record Signed(
        Reviewer reviewer,
        String at
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Signed";
        }
    }

    /** Links. */
    public record Links(
        String report,
        String version
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Links";
        }
    }
}
