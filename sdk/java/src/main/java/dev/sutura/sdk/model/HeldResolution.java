// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** HeldResolution. */
public final class HeldResolution {
    @JsonProperty("action")
    private String action;
    @JsonProperty("authority")
    private String authority;
    @JsonProperty("to")
    private String to;
    @JsonProperty("note")
    private String note;

    /** One of the item’s. One of: same, another, discard, link, accept, same_authority, own_authority, retry, wait. */
    public HeldResolution action(String action) {
        this.action = action;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String action() {
        return action;
    }

    /** With another: whose number it is, as a URI. */
    public HeldResolution authority(String authority) {
        this.authority = authority;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String authority() {
        return authority;
    }

    /** With link: what it belongs to, as Type/id. */
    public HeldResolution to(String to) {
        this.to = to;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String to() {
        return to;
    }

    /** Why, for the history. */
    public HeldResolution note(String note) {
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
        return "HeldResolution";
    }
}
