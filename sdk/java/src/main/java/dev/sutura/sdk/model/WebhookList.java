// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * The webhooks of the organization in this environment, oldest first.
 *
 * @param webhooks The same as items, by the name that they had first.
 * @param items Oldest first; all of them.
 * @param nextCursor For the next page; null at the end.
 */
public record WebhookList(
    List<Webhook> webhooks,
    List<Webhook> items,
    String nextCursor
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WebhookList";
    }
}
