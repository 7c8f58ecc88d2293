// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A wound has its first photo, or was reopened.
 *
 * @param timestamp Of the event.
 */
public record WoundOpenedEvent(
    String type,
    String timestamp,
    Data data
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WoundOpenedEvent";
    }

    /**
     * Data.
     *
     * @param sequence Rises with every event of the webhook: drop what is older than what you have.
     * @param decidedAt Where a person reopened it.
     * @param patient With the content "full" alone.
     * @param callersWoundId With the content "full" alone.
     * @param callersWoundIdSystem With the content "full" alone.
     * @param truncated With "full": a text that would have made the body too long is left out.
     * @param reviewer With the content "full" alone.
     * @param note With the content "full" alone.
     */
    public record Data(
        Long sequence,
        String woundId,
        Boolean reopened,
        String decidedAt,
        JsonNode patient,
        String callersWoundId,
        String callersWoundIdSystem,
        Boolean truncated,
        JsonNode reviewer,
        String note
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Data";
        }
    }
}
