// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * Wounds that grew together, or one that fell into several.
 *
 * @param kind joined or split; more may come.
 * @param whole joined: what the parts have become; split: what they were.
 * @param enteredBy The person behind the request, of X-Sutura-User; null: not named.
 * @param withdrawn Taken back, as if it had never been; null: it stands.
 */
public record WoundRelation(
    String id,
    String kind,
    String whole,
    List<String> parts,
    String at,
    String note,
    Reviewer by,
    String recordedAt,
    String enteredBy,
    Withdrawn withdrawn
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WoundRelation[id=" + id + "]";
    }

    /** Withdrawn. */
    public record Withdrawn(
        String withdrawnAt,
        String note,
        Reviewer by,
        String enteredBy
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Withdrawn";
        }
    }
}
