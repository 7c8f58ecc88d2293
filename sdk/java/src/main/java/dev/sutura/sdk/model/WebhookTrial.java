// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * How the endpoint answered a test event.
 *
 * @param fault Why there was no answer, as a code.
 */
public record WebhookTrial(
    Boolean delivered,
    Long statusCode,
    String fault,
    Long durationMs
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WebhookTrial";
    }
}
