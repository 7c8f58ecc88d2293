// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/** A wound that was one and is several now. */
public final class WoundSplitRequest {
    @JsonProperty("into")
    private List<String> into;
    @JsonProperty("at")
    private String at;
    @JsonProperty("note")
    private String note;
    @JsonProperty("by")
    private Reviewer by;

    /** The wounds that this one has fallen into; this one among them where it goes on under its number, else it ends. */
    public WoundSplitRequest into(List<String> into) {
        this.into = into;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public List<String> into() {
        return into;
    }

    /** When it was first seen; a photo of the very moment shows it. More than 5 minutes ahead: 422. */
    public WoundSplitRequest at(String at) {
        this.at = at;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String at() {
        return at;
    }

    /** Free clinical text; kept with the relation, never logged. */
    public WoundSplitRequest note(String note) {
        this.note = note;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String note() {
        return note;
    }

    /** Who saw it. */
    public WoundSplitRequest by(Reviewer by) {
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
        return "WoundSplitRequest";
    }
}
