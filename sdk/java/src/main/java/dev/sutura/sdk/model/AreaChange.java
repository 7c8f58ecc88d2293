// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * The change of a wound’s area between two photos.
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
public record AreaChange(
    Double days,
    Double areaCm2,
    Double areaPct,
    AreaPctInterval areaPctInterval,
    Double areaCm2PerWeek,
    Double marginAdvanceMmPerDay,
    Double minimalDetectableChangePct,
    Boolean beyondDetectable,
    List<String> warnings
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "AreaChange";
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
