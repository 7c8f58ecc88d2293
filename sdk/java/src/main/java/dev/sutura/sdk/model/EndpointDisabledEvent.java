// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * Another webhook was disabled.
 *
 * @param timestamp Of the event.
 */
public record EndpointDisabledEvent(
    String type,
    String timestamp,
    Data data
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "EndpointDisabledEvent";
    }

    /**
     * Data.
     *
     * @param sequence Rises with every event of the webhook: drop what is older than what you have.
     * @param reason One of: gone, failing.
     */
    public record Data(
        Long sequence,
        String webhookId,
        String reason,
        String disabledAt
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Data";
        }
    }
}
