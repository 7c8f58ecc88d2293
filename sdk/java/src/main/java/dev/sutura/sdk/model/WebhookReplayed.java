// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/** How many deliveries are sent again. */
public record WebhookReplayed(
    Long replayed
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WebhookReplayed";
    }
}
