// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * Photos to test an integration with.
 *
 * @param items All of them.
 * @param nextCursor For the next page; null at the end.
 * @param seenWith The models whose answers were seen.
 * @param seenWithActiveModels false: this installation analyses with other models, which may answer otherwise.
 */
public record SampleList(
    List<Sample> items,
    String nextCursor,
    List<SampleSeries> series,
    List<SeenWith> seenWith,
    String seenOn,
    Boolean seenWithActiveModels
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "SampleList";
    }

    /** SeenWith. */
    public record SeenWith(
        String name,
        String version,
        String sha256
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "SeenWith";
        }
    }
}
