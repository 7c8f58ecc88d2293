package dev.sutura.sdk;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An event whose signature was checked.
 *
 * @param type for example {@code report.ready}; pass over types that you do not know
 * @param timestamp when it happened
 * @param json the whole event
 */
public record WebhookEvent(String type, String timestamp, JsonNode json) {
    /** The event as a type of its own, such as {@link dev.sutura.sdk.model.ReportReadyEvent}. */
    public <T> T as(Class<T> eventType) {
        T event = Json.to(json, eventType);
        if (event == null) {
            throw new IllegalArgumentException("This event is no " + eventType.getSimpleName() + ".");
        }
        return event;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WebhookEvent[type=" + type + "]";
    }
}
