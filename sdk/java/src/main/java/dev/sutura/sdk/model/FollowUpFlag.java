// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * Something worth a clinician’s look; never a prediction.
 *
 * @param code area_reduction_below_50_at_4_weeks, area_reduction_below_90_at_8_weeks,
 * area_reduction_below_40_at_4_weeks, area_growth, area_growth_since_baseline, area_growth_since_smallest,
 * area_growth_by_slope, stalled_14_days, stalled_28_days, necrosis_rising, reopened, infection_signs_recorded,
 * size_mismatch; more may come.
 * @param value What was measured: a change in %, by slope in % a week, of a share in percentage points; days
 * since the wound was closed; number of signs; factor between two sizes.
 * @param interval Holds the true value in nine of ten cases.
 * @param comparedWith previous, baseline, smallest, earlier or slope.
 * @param words As a clinician recorded them.
 * @param evidence sheehan-2003, coerper-2009, warriner-2011, phillips-2000, kantor-2000, cardinal-2008: see
 * docs/follow-up.md.
 * @param evidenceFor diabetic_foot_ulcer or venous_leg_ulcer; null: a plain comparison of two measurements.
 * @param woundTypeKnown false: the stated kind (neuropathic ulcer; in reports of earlier releases none) may be
 * another one, so whether the evidence holds is for the reader to judge.
 */
public record FollowUpFlag(
    String code,
    Double value,
    Interval interval,
    Double days,
    String comparedWith,
    String comparedWithReportId,
    List<String> words,
    List<String> evidence,
    String evidenceFor,
    Boolean woundTypeKnown
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "FollowUpFlag";
    }

    /** Interval. */
    public record Interval(
        Double lower,
        Double upper
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Interval";
        }
    }
}
