// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * HeldList.
 *
 * @param items Oldest first.
 * @param nextCursor For the next page; null at the end.
 */
public record HeldList(
    List<Held> items,
    String nextCursor
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "HeldList";
    }
}
