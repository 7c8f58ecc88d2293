// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * An undermined stretch of the edge, clockwise from one hour to the other: 11 to 2 runs over 12. Without toClock
 * it is at one hour.
 */
public final class Undermining {
    @JsonProperty("fromClock")
    private Long fromClock;
    @JsonProperty("toClock")
    private Long toClock;
    @JsonProperty("depthCm")
    private Double depthCm;

    /** Sets fromClock. */
    public Undermining fromClock(long fromClock) {
        this.fromClock = fromClock;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Long fromClock() {
        return fromClock;
    }

    /** Sets toClock. */
    public Undermining toClock(long toClock) {
        this.toClock = toClock;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Long toClock() {
        return toClock;
    }

    /** Sets depthCm. */
    public Undermining depthCm(double depthCm) {
        this.depthCm = depthCm;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Double depthCm() {
        return depthCm;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "Undermining";
    }
}
