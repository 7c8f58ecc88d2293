// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * One size of card, and what was measured on its prints.
 *
 * @param size One of: a4, credit-card.
 * @param barMm Length of the check bar when printed at 100 %.
 * @param measuredBarMm The stored correction; null: none, the card counts as printed at 100 %.
 */
public record CalibrationCard(
    String size,
    Double barMm,
    Double measuredBarMm,
    String measuredAt
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "CalibrationCard";
    }
}
