// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * What was done to a wound, or happened to it, between its photos.
 *
 * @param wound The wound that it was recorded of; it may have been merged into another since.
 * @param type debridement, graft, skin_substitute, compression, offloading, negative_pressure, antibiotics,
 * surgery, amputation, dressing_change, trauma, other; more may come.
 * @param enteredBy The person behind the request, of X-Sutura-User; null: not named.
 * @param withdrawn Taken back, as if it had never been; null: it stands.
 */
public record ClinicalEvent(
    String id,
    String wound,
    String type,
    String occurredAt,
    String note,
    Reviewer by,
    String recordedAt,
    String enteredBy,
    Withdrawn withdrawn
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "ClinicalEvent[id=" + id + "]";
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
