// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/**
 * Something that happened, as webhooks tell it.
 *
 * @param id As in webhook-id: drop what you have had from a webhook.
 * @param type More may come. One of: analysis.completed, analysis.failed, report.ready, report.amended,
 * report.reviewed, wound.opened, wound.closed, wound.attention, quota.threshold, endpoint.disabled,
 * delivery.recovered.
 * @param timestamp Of the event, as in the body of a webhook.
 * @param recordedAt When it came into the log: rises along the list.
 * @param data As in the body of a webhook with the content "ids" (its schema: webhooks), without sequence, which
 * counts the events of one webhook.
 */
public record LoggedEvent(
    String id,
    String type,
    String timestamp,
    String recordedAt,
    Map<String, JsonNode> data
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "LoggedEvent[id=" + id + "]";
    }
}
