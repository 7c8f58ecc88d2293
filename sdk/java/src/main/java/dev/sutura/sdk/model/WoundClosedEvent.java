// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A person closed a wound, or said that it ended by growing together or falling apart.
 *
 * @param timestamp Of the event.
 */
public record WoundClosedEvent(
    String type,
    String timestamp,
    Data data
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WoundClosedEvent";
    }

    /**
     * Data.
     *
     * @param sequence Rises with every event of the webhook: drop what is older than what you have.
     * @param truncated With "full": a text that would have made the body too long is left out.
     * @param reviewer With the content "full" alone.
     * @param note With the content "full" alone.
     */
    public record Data(
        Long sequence,
        String woundId,
        String decidedAt,
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
