// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Joins a wound into another of the same patient. */
public final class WoundMergeRequest {
    @JsonProperty("into")
    private String into;
    @JsonProperty("reviewer")
    private Reviewer reviewer;
    @JsonProperty("note")
    private String note;

    /** The wound that this one turned out to be. */
    public WoundMergeRequest into(String into) {
        this.into = into;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String into() {
        return into;
    }

    /** Sets reviewer. */
    public WoundMergeRequest reviewer(Reviewer reviewer) {
        this.reviewer = reviewer;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Reviewer reviewer() {
        return reviewer;
    }

    /** Sets note. */
    public WoundMergeRequest note(String note) {
        this.note = note;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String note() {
        return note;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WoundMergeRequest";
    }
}
