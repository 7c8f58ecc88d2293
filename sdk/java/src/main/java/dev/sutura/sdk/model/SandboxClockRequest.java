// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How the clock of the test environment is moved: either now or advance. */
public final class SandboxClockRequest {
    @JsonProperty("now")
    private String now;
    @JsonProperty("advance")
    private String advance;

    /** To where the clock is set; RFC 3339 with an offset. Not before the time of the clock. */
    public SandboxClockRequest now(String now) {
        this.now = now;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String now() {
        return now;
    }

    /**
     * How far the clock is moved ahead: an ISO 8601 duration of whole weeks, days, hours, minutes and seconds.
     * Months and years have no fixed length.
     */
    public SandboxClockRequest advance(String advance) {
        this.advance = advance;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String advance() {
        return advance;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "SandboxClockRequest";
    }
}
