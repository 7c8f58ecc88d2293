// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** A tunnel that leads from the wound in one direction. */
public final class Tunnel {
    @JsonProperty("clock")
    private Long clock;
    @JsonProperty("depthCm")
    private Double depthCm;

    /** Sets clock. */
    public Tunnel clock(long clock) {
        this.clock = clock;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Long clock() {
        return clock;
    }

    /** Sets depthCm. */
    public Tunnel depthCm(double depthCm) {
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
        return "Tunnel";
    }
}
