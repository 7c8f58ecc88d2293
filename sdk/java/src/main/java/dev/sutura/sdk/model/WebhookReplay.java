// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The deliveries that are to be sent again. */
public final class WebhookReplay {
    @JsonProperty("since")
    private String since;
    @JsonProperty("until")
    private String until;

    /** Of the deliveries, when they were made. */
    public WebhookReplay since(String since) {
        this.since = since;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String since() {
        return since;
    }

    /** Not included; absent: until now. */
    public WebhookReplay until(String until) {
        this.until = until;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String until() {
        return until;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WebhookReplay";
    }
}
