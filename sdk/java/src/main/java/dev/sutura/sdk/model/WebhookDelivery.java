// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * An event on its way to a webhook.
 *
 * @param eventId webhook-id of every attempt.
 * @param state One of: waiting, delivered, parked, discarded, collapsed, moved.
 * @param nextAt While it waits: when it is tried again, at the earliest.
 */
public record WebhookDelivery(
    String id,
    String eventId,
    String type,
    Long sequence,
    String state,
    Long attempts,
    Long statusCode,
    String fault,
    String createdAt,
    String nextAt,
    String deliveredAt
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WebhookDelivery[id=" + id + "]";
    }
}
