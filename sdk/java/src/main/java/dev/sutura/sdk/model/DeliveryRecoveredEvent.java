// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * Another webhook takes events again.
 *
 * @param timestamp Of the event.
 */
public record DeliveryRecoveredEvent(
    String type,
    String timestamp,
    Data data
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "DeliveryRecoveredEvent";
    }

    /**
     * Data.
     *
     * @param sequence Rises with every event of the webhook: drop what is older than what you have.
     */
    public record Data(
        Long sequence,
        String webhookId,
        String deliveryId,
        String failingSince
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Data";
        }
    }
}
