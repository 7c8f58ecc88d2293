// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * One page of wounds.
 *
 * @param items Newest first.
 * @param nextCursor For the next page; null at the end.
 */
public record WoundList(
    List<Wound> items,
    String nextCursor
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WoundList";
    }
}
