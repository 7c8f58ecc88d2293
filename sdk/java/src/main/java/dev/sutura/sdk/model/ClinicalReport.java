// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * The report of one photo, in one version. Decision support, not a diagnosis.
 *
 * @param status preliminary until a person accepts or corrects it; a job’s "completed" is not "final". One of:
 * preliminary, final, amended, corrected, entered-in-error.
 * @param reason created, reviewed, recomputed, moved: the patient’s record was joined into another, or
 * photo_erased: a photo that it showed was deleted.
 * @param environment One of: test, live.
 * @param sequence Of this photo in the wound’s series; null for a report entered in error, and for earlier
 * versions.
 * @param replaces The report whose place this one took, by a reassignment.
 * @param issuedAt When this version was made.
 * @param capturedAsStated capturedAt as its sender stated it: with their offset, or a day (2026-11-27), month or
 * year alone, to which nobody said an hour; capturedAt is then where it begins. Absent: nothing was stated.
 * @param review null: no person has looked at it.
 * @param sandbox The outcome that metadata.sandbox of its job asked for; absent: none, and in live always.
 * @param erasedPhotos Photos that documents of this report showed and that were deleted. Absent: none.
 * @param heading Where one report is read; absent in lists and in answers to reviews.
 */
public record ClinicalReport(
    String id,
    Long version,
    String status,
    String reason,
    String environment,
    String jobId,
    String imageId,
    Long sequence,
    String replaces,
    String replacedBy,
    String issuedAt,
    ReportSubject subject,
    String capturedAt,
    String capturedAsStated,
    String clinicalContext,
    StatedObservations clinicianObservations,
    AssessmentFindings findings,
    SeriesComparison comparison,
    List<FollowUpFlag> flags,
    ReviewStamp review,
    List<ModelUsed> models,
    String sandbox,
    List<ErasedPhotos> erasedPhotos,
    ReportHeading heading,
    Links links
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "ClinicalReport[id=" + id + "]";
    }

    /** ErasedPhotos. */
    public record ErasedPhotos(
        String imageId,
        String erasedAt
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "ErasedPhotos[imageId=" + imageId + "]";
        }
    }

    /** Links. */
    public record Links(
        String self,
        String versions,
        String job,
        String wound,
        String timeline
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Links";
        }
    }
}
