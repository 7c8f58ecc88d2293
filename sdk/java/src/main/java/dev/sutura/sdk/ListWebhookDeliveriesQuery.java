// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk;

/** Which items listWebhookDeliveries gives. */
public final class ListWebhookDeliveriesQuery extends Query {
    /** Only deliveries in this state. */
    public ListWebhookDeliveriesQuery state(String state) {
        put("state", state);
        return this;
    }

    /** Sets limit. */
    public ListWebhookDeliveriesQuery limit(long limit) {
        put("limit", String.valueOf(limit));
        return this;
    }

    /** nextCursor of the page before. */
    public ListWebhookDeliveriesQuery cursor(String cursor) {
        put("cursor", cursor);
        return this;
    }
}
