// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * The clinical events of a wound.
 *
 * @param items Oldest first, all of the wound; withdrawn ones too.
 * @param nextCursor For the next page; null at the end.
 */
public record ClinicalEventList(
    List<ClinicalEvent> items,
    String nextCursor
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "ClinicalEventList";
    }
}
