// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * Against the wound’s earlier photos.
 *
 * @param noTrendReason no_wound_outlined, multiple_outlines, no_scale, day_unknown, awaiting_confirmation,
 * superseded or withdrawn; null: the area stands in the series.
 * @param rules Edition of the rules of docs/follow-up.md; 1 is that of release 0.1.
 * @param attention site_mismatch, duplicate_photo, which_outline, no_wound_in_region, area_jump,
 * area_implausible, before_birth, sandbox: a person accepts, corrects, rejects or reassigns it first; empty:
 * does not wait.
 * @param previousAssessment The photo before, measured or not.
 * @param previous The last assessment that this one can be compared with, safely where there is one.
 * @param baseline The first area, since the wound was last closed.
 * @param smallest The smallest area before this one that it is safely compared with.
 * @param trend smaller, larger or within_detectable_change; null where the two are not comparable.
 * @param trendBasis slope, where there are three comparable assessments, else pair.
 * @param supersededBy The report of the same photo that stands in place of this one.
 * @param supersedes The report of the same photo that this one stands in place of.
 * @param ageGroup Of the patient on the photo, by the birth date of their record: newborn (under a month),
 * infant (under a year), under_5, under_10, under_15 or under_18; absent: an adult, or no birth date is known.
 * @param raisedBefore Of what wound.attention tells: codes of flags, the verdict, what is worse and
 * unconfirmed_necrosis, where an earlier photo has told it; absent: nothing.
 * @param course Absent in reports by rules 1 to 3.
 */
public record SeriesComparison(
    String noTrendReason,
    Long rules,
    List<String> attention,
    AssessmentLink previousAssessment,
    SeriesPoint previous,
    SeriesPoint baseline,
    SeriesPoint smallest,
    AreaChange sincePrevious,
    AreaChange sinceBaseline,
    AreaChange sinceSmallest,
    AreaSlope slope,
    String trend,
    String trendBasis,
    String supersededBy,
    String supersedes,
    WoundClosure closure,
    String ageGroup,
    AreaReset reset,
    AreaRelation relation,
    UnconfirmedNecrosis unconfirmedNecrosis,
    List<String> raisedBefore,
    Course course
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "SeriesComparison";
    }
}
