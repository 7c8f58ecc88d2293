// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * A report has a further version.
 *
 * @param timestamp Of the event.
 */
public record ReportAmendedEvent(
    String type,
    String timestamp,
    Data data
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "ReportAmendedEvent";
    }

    /**
     * Data.
     *
     * @param sequence Rises with every event of the webhook: drop what is older than what you have.
     * @param version Rises with every version of the report: drop what is older than what you have.
     * @param status One of: preliminary, final, amended, corrected, entered-in-error.
     * @param reason created, reviewed, recomputed, moved or photo_erased.
     * @param capturedAsStated capturedAt as its sender stated it: with their offset, or a day (2026-11-27), month or
     * year alone, to which nobody said an hour; capturedAt is then where it begins. Absent: nothing was stated.
     * @param areaCm2 Not to be used before <code>quality</code> and <code>outlineReliable</code> were read.
     * @param quality Of the photo.
     * @param outlineReliable false: the outline of the model is more likely wrong than right; null: a person drew or
     * confirmed it, nothing is outlined, or the model does not say.
     * @param areaChangePct Since the measured photo before; null: there is none.
     * @param areaChangeWarnings Why the two areas are not safely comparable, as <code>warnings</code> of an
     * AreaChange; empty: they are.
     * @param noTrendReason Why no trend is stated: as <code>noTrendReason</code> of a comparison, or not_comparable
     * (see <code>areaChangeWarnings</code>); null: one is, or there is nothing to compare with yet.
     * @param flags Codes of docs/follow-up.md.
     * @param attention site_mismatch, duplicate_photo, which_outline, no_wound_in_region, area_jump,
     * area_implausible, before_birth, sandbox: a person accepts, corrects, rejects or reassigns it first; empty:
     * does not wait.
     * @param course The verdict with its reasons in codes (docs/follow-up.md); null in reports by rules 1 to 3.
     * @param reset The treatment since which the area counts anew; absent: none. One of: debridement, graft,
     * surgery.
     * @param relation The wound grew together of others (joined), or is a part of one that fell apart (split);
     * absent: neither. One of: joined, split.
     * @param decision One of: accept, reject, correct, reassign.
     * @param sandbox The outcome that metadata.sandbox of the job asked for; absent: none, and in live always.
     * @param patient With the content "full" alone.
     * @param callersWoundId With the content "full" alone.
     * @param callersWoundIdSystem With the content "full" alone.
     * @param truncated With "full": a text that would have made the body too long is left out.
     * @param bodySite With the content "full" alone.
     * @param laterality With the content "full" alone.
     * @param woundType With the content "full" alone.
     * @param clinicalContext With the content "full" alone.
     * @param clinicianObservations With the content "full" alone.
     * @param review With the content "full" alone.
     */
    public record Data(
        Long sequence,
        String reportId,
        String jobId,
        String imageId,
        String woundId,
        String replaces,
        String replacedBy,
        Long version,
        String status,
        String reason,
        String capturedAt,
        String capturedAsStated,
        Boolean woundDetected,
        MeasuredValue areaCm2,
        Quality quality,
        Boolean outlineReliable,
        Double areaChangePct,
        List<String> areaChangeWarnings,
        String noTrendReason,
        List<String> flags,
        List<String> attention,
        UnconfirmedNecrosis unconfirmedNecrosis,
        Course course,
        String reset,
        String relation,
        String decision,
        String sandbox,
        JsonNode patient,
        String callersWoundId,
        String callersWoundIdSystem,
        Boolean truncated,
        JsonNode bodySite,
        String laterality,
        JsonNode woundType,
        String clinicalContext,
        JsonNode clinicianObservations,
        JsonNode review
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Data[imageId=" + imageId + "]";
        }

        /**
         * Of the photo.
         *
         * @param acceptable false: another photo should be taken; this one was measured all the same.
         * @param warnings As <code>quality.warnings</code> of a result.
         */
        public record Quality(
            Boolean acceptable,
            List<String> warnings
        ) {
            /** Without content: what is printed may end in a log. */
            @Override
            public String toString() {
                return "Quality";
            }
        }

        /**
         * Course.
         *
         * @param verdict One of: improving, unchanged, worsening, mixed, closed, ended, reopened, unknown.
         */
        public record Course(
            String verdict,
            String since,
            List<Because> because,
            List<String> waitsFor
        ) {
            /** Without content: what is printed may end in a log. */
            @Override
            public String toString() {
                return "Course";
            }

            /**
             * Because.
             *
             * @param direction One of: better, worse, persists, reset.
             */
            public record Because(
                String domain,
                String what,
                String direction
            ) {
                /** Without content: what is printed may end in a log. */
                @Override
                public String toString() {
                    return "Because";
                }
            }
        }
    }
}
