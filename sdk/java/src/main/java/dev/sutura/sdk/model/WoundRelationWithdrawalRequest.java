// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Who takes it back, and why. */
public final class WoundRelationWithdrawalRequest {
    @JsonProperty("note")
    private String note;
    @JsonProperty("by")
    private Reviewer by;

    /** Free clinical text; kept with the relation, never logged. */
    public WoundRelationWithdrawalRequest note(String note) {
        this.note = note;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String note() {
        return note;
    }

    /** Who saw it. */
    public WoundRelationWithdrawalRequest by(Reviewer by) {
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
        return "WoundRelationWithdrawalRequest";
    }
}
