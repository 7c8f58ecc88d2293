// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Who reopened it, when, and why. */
public final class WoundReopeningRequest {
    @JsonProperty("reviewer")
    private Reviewer reviewer;
    @JsonProperty("note")
    private String note;
    @JsonProperty("decidedAt")
    private String decidedAt;

    /** Sets reviewer. */
    public WoundReopeningRequest reviewer(Reviewer reviewer) {
        this.reviewer = reviewer;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Reviewer reviewer() {
        return reviewer;
    }

    /** Sets note. */
    public WoundReopeningRequest note(String note) {
        this.note = note;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String note() {
        return note;
    }

    /** When the person decided; absent: now. Photos taken before it belong to the course before. */
    public WoundReopeningRequest decidedAt(String decidedAt) {
        this.decidedAt = decidedAt;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String decidedAt() {
        return decidedAt;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WoundReopeningRequest";
    }
}
