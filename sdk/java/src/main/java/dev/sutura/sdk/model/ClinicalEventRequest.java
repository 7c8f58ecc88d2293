// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What was done to a wound, or happened to it. */
public final class ClinicalEventRequest {
    @JsonProperty("type")
    private String type;
    @JsonProperty("occurredAt")
    private String occurredAt;
    @JsonProperty("note")
    private String note;
    @JsonProperty("by")
    private Reviewer by;

    /**
     * After debridement, graft and surgery the next photo within a week is a new baseline of the area. One of:
     * debridement, graft, skin_substitute, compression, offloading, negative_pressure, antibiotics, surgery,
     * amputation, dressing_change, trauma, other.
     */
    public ClinicalEventRequest type(String type) {
        this.type = type;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String type() {
        return type;
    }

    /** A photo of the very moment counts as taken before. More than 5 minutes ahead: 422. */
    public ClinicalEventRequest occurredAt(String occurredAt) {
        this.occurredAt = occurredAt;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String occurredAt() {
        return occurredAt;
    }

    /** Free clinical text; kept with the event, never logged. */
    public ClinicalEventRequest note(String note) {
        this.note = note;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String note() {
        return note;
    }

    /** Who did it or saw it. */
    public ClinicalEventRequest by(Reviewer by) {
        this.by = by;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Reviewer by() {
        return by;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "ClinicalEventRequest";
    }
}
