// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How long the old keys sign beside the new ones. */
public final class WebhookRotation {
    @JsonProperty("overlapS")
    private Long overlapS;

    /** Seconds for which the old keys sign as well. */
    public WebhookRotation overlapS(long overlapS) {
        this.overlapS = overlapS;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Long overlapS() {
        return overlapS;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WebhookRotation";
    }
}
