// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * The active models first.
 *
 * @param items The active models first; all of them.
 * @param nextCursor For the next page; null at the end.
 */
public record ModelList(
    List<Model> items,
    String nextCursor
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "ModelList";
    }
}
