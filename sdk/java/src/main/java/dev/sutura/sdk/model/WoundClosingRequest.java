// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Who closed it, when, and why. */
public final class WoundClosingRequest {
    @JsonProperty("reviewer")
    private Reviewer reviewer;
    @JsonProperty("note")
    private String note;
    @JsonProperty("reason")
    private String reason;
    @JsonProperty("closedAt")
    private String closedAt;
    @JsonProperty("decidedAt")
    private String decidedAt;

    /** Sets reviewer. */
    public WoundClosingRequest reviewer(Reviewer reviewer) {
        this.reviewer = reviewer;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Reviewer reviewer() {
        return reviewer;
    }

    /** Sets note. */
    public WoundClosingRequest note(String note) {
        this.note = note;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String note() {
        return note;
    }

    /**
     * healed alone is a cure; absent: other. One of: healed, amputated, grafted, merged, transferred, died,
     * entered_in_error, other.
     */
    public WoundClosingRequest reason(String reason) {
        this.reason = reason;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String reason() {
        return reason;
    }

    /** When the person decided; absent: now. Photos taken before it belong to the course before. */
    public WoundClosingRequest closedAt(String closedAt) {
        this.closedAt = closedAt;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String closedAt() {
        return closedAt;
    }

    /** Another name of closedAt, which stands before it. */
    public WoundClosingRequest decidedAt(String decidedAt) {
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
        return "WoundClosingRequest";
    }
}
