// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * An analysis ended with a result.
 *
 * @param timestamp Of the event.
 */
public record AnalysisCompletedEvent(
    String type,
    String timestamp,
    Data data
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "AnalysisCompletedEvent";
    }

    /**
     * Data.
     *
     * @param sequence Rises with every event of the webhook: drop what is older than what you have.
     * @param sandbox The outcome that metadata.sandbox of the job asked for; absent: none, and in live always.
     */
    public record Data(
        Long sequence,
        String jobId,
        String imageId,
        String reportId,
        Boolean woundDetected,
        String sandbox
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Data[imageId=" + imageId + "]";
        }
    }
}
