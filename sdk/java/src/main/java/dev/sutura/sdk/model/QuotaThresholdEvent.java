// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * 80 or 100 % of the quota of the day is used.
 *
 * @param timestamp Of the event.
 */
public record QuotaThresholdEvent(
    String type,
    String timestamp,
    Data data
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "QuotaThresholdEvent";
    }

    /**
     * Data.
     *
     * @param sequence Rises with every event of the webhook: drop what is older than what you have.
     */
    public record Data(
        Long sequence,
        Long sharePct,
        String day,
        Long limit,
        Long used
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Data";
        }
    }
}
