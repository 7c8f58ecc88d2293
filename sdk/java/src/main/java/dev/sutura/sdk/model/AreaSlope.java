// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * The course of the area over at least three comparable assessments.
 *
 * @param assessments That it rests on, this one included.
 * @param days From the first of them to this one: at most 56.
 * @param pctPerWeek Change of the area in % a week, with its 90 % interval; below 0 it shrinks.
 * @param marginAdvanceMmPerDay Below 0: the margin retreats.
 * @param isGrowth The 97 % interval lies above 0, of areas that treatments left that of 99 %; 95 % by rules 1 to
 * 3.
 */
public record AreaSlope(
    Long assessments,
    Double days,
    PctPerWeek pctPerWeek,
    MarginAdvanceMmPerDay marginAdvanceMmPerDay,
    Boolean isGrowth
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "AreaSlope";
    }

    /** Change of the area in % a week, with its 90 % interval; below 0 it shrinks. */
    public record PctPerWeek(
        Double lower,
        Double upper,
        Double value
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "PctPerWeek";
        }
    }

    /** MarginAdvanceMmPerDay. */
    public record MarginAdvanceMmPerDay(
        Double lower,
        Double upper,
        Double value
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "MarginAdvanceMmPerDay";
        }
    }
}
