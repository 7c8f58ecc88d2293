// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * Deliveries, newest first.
 *
 * @param deliveries The same as items, by the name that they had first.
 * @param items Newest first.
 * @param nextCursor For the next page; null at the end.
 */
public record WebhookDeliveryList(
    List<WebhookDelivery> deliveries,
    List<WebhookDelivery> items,
    String nextCursor
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WebhookDeliveryList";
    }
}
