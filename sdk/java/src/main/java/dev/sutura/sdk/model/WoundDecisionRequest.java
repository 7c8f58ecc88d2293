// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Who decided, and why. */
public final class WoundDecisionRequest {
    @JsonProperty("reviewer")
    private Reviewer reviewer;
    @JsonProperty("note")
    private String note;

    /** Sets reviewer. */
    public WoundDecisionRequest reviewer(Reviewer reviewer) {
        this.reviewer = reviewer;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Reviewer reviewer() {
        return reviewer;
    }

    /** Sets note. */
    public WoundDecisionRequest note(String note) {
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
        return "WoundDecisionRequest";
    }
}
