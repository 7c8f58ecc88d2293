// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * One photo in the series of its wound, as it stands now.
 *
 * @param sequence In the whole series, oldest photo first; the same for all analyses of one photo.
 * @param capturedAsStated capturedAt as its sender stated it: with their offset, or a day (2026-11-27), month or
 * year alone, to which nobody said an hour; capturedAt is then where it begins. Absent: nothing was stated.
 * @param reportStatus preliminary, final, amended or corrected.
 * @param areaCm2 null without an outline or a scale.
 * @param confirmedTissues Those whose share a clinician stated.
 * @param outlineSource model, reviewer_choice or reviewer_contour.
 * @param noTrendReason no_wound_outlined, multiple_outlines, no_scale, day_unknown, awaiting_confirmation or
 * superseded; null: the area stands in the series.
 * @param attention site_mismatch, duplicate_photo, which_outline, no_wound_in_region, area_jump,
 * area_implausible, before_birth, sandbox: a person accepts, corrects, rejects or reassigns it first; empty:
 * does not wait.
 * @param trendBasis slope or pair.
 * @param supersededBy The report of the same photo that stands in place of this one.
 * @param ageGroup Of the patient on the photo, by the birth date of their record: newborn (under a month),
 * infant (under a year), under_5, under_10, under_15 or under_18; absent: an adult, or no birth date is known.
 * @param trend smaller, larger or within_detectable_change; null where two photos are not comparable.
 * @param course null in reports by rules 1 to 3.
 */
public record TimelineAssessment(
    Long sequence,
    String capturedAt,
    String capturedAsStated,
    String jobId,
    String imageId,
    String reportId,
    Long reportVersion,
    String reportStatus,
    Boolean woundDetected,
    MeasuredValue areaCm2,
    MeasuredValue lengthCm,
    MeasuredValue widthCm,
    MeasuredValue perimeterCm,
    Double areaPixels,
    TissueComposition tissue,
    List<String> confirmedTissues,
    PhotoQuality quality,
    String scaleSource,
    String model,
    String outlineSource,
    String noTrendReason,
    List<String> attention,
    AreaChange sincePrevious,
    AreaChange sinceBaseline,
    AreaChange sinceSmallest,
    AreaSlope slope,
    String trendBasis,
    String supersededBy,
    String ageGroup,
    AreaReset reset,
    AreaRelation relation,
    UnconfirmedNecrosis unconfirmedNecrosis,
    String trend,
    Course course,
    List<FollowUpFlag> flags,
    Links links
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "TimelineAssessment[imageId=" + imageId + "]";
    }

    /** Links. */
    public record Links(
        String job,
        String report
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Links";
        }
    }
}
