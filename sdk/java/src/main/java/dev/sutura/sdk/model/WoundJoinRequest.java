// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/** Wounds that were two and have grown together. */
public final class WoundJoinRequest {
    @JsonProperty("from")
    private List<String> from;
    @JsonProperty("at")
    private String at;
    @JsonProperty("note")
    private String note;
    @JsonProperty("by")
    private Reviewer by;

    /**
     * The wounds that have grown together into this one; this one among them where it goes on under its number. The
     * others end.
     */
    public WoundJoinRequest from(List<String> from) {
        this.from = from;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public List<String> from() {
        return from;
    }

    /** When it was first seen; a photo of the very moment shows it. More than 5 minutes ahead: 422. */
    public WoundJoinRequest at(String at) {
        this.at = at;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String at() {
        return at;
    }

    /** Free clinical text; kept with the relation, never logged. */
    public WoundJoinRequest note(String note) {
        this.note = note;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String note() {
        return note;
    }

    /** Who saw it. */
    public WoundJoinRequest by(Reviewer by) {
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
        return "WoundJoinRequest";
    }
}
