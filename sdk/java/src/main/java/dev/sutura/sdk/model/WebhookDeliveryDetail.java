// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/**
 * A delivery with its body and every attempt, oldest first.
 *
 * @param eventId webhook-id of every attempt.
 * @param state One of: waiting, delivered, parked, discarded, collapsed, moved.
 * @param nextAt While it waits: when it is tried again, at the earliest.
 * @param body The body, as it is sent.
 */
public record WebhookDeliveryDetail(
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
    String deliveredAt,
    Map<String, JsonNode> body,
    List<Log> log
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WebhookDeliveryDetail[id=" + id + "]";
    }

    /**
     * Log.
     *
     * @param answer The first 2 KiB of what the receiver answered.
     */
    public record Log(
        String at,
        Long statusCode,
        String fault,
        Long durationMs,
        Boolean delivered,
        String answer
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Log";
        }
    }
}
