// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * How far the model can be trusted with this photo; quality speaks of the photo alone.
 *
 * @param score Probability that an expert’s outline overlaps with this one to a Dice of 0.7 or more.
 * @param expectedDice Overlap with an expert’s outline to be expected, and the interval that held nine of ten
 * labelled photos.
 * @param outlineReliable false where the outline is more likely wrong than right: look at it before its figures
 * count.
 */
public record Familiarity(
    Double score,
    ExpectedDice expectedDice,
    Boolean outlineReliable
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "Familiarity";
    }

    /** Overlap with an expert’s outline to be expected, and the interval that held nine of ten labelled photos. */
    public record ExpectedDice(
        Double value,
        Double lower,
        Double upper
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "ExpectedDice";
        }
    }
}
