// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * Each size of card, and what was measured on its prints.
 *
 * @param cards The same as items, by the name that they had first.
 * @param items Each size.
 * @param nextCursor For the next page; null at the end.
 */
public record CalibrationCards(
    List<CalibrationCard> cards,
    List<CalibrationCard> items,
    String nextCursor
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "CalibrationCards";
    }
}
