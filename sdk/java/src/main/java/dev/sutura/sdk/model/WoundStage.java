// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** A stage or grade as a person stated it; never told from a photo. */
public final class WoundStage {
    @JsonProperty("system")
    private String system;
    @JsonProperty("value")
    private String value;
    @JsonProperty("statedBy")
    private String statedBy;
    @JsonProperty("statedAt")
    private String statedAt;

    /** One of: wagner, pressure, texas. */
    public WoundStage system(String system) {
        this.system = system;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String system() {
        return system;
    }

    /**
     * One of: 0, 1, 2, 3, 4, 5, unstageable, suspected_deep_tissue_injury, mucosal, 0A, 0B, 0C, 0D, 1A, 1B, 1C, 1D,
     * 2A, 2B, 2C, 2D, 3A, 3B, 3C, 3D.
     */
    public WoundStage value(String value) {
        this.value = value;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String value() {
        return value;
    }

    /** The name of whoever stated it. */
    public WoundStage statedBy(String statedBy) {
        this.statedBy = statedBy;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String statedBy() {
        return statedBy;
    }

    /** Where that is not the time of the photo: a moment with its offset, or a day. */
    public WoundStage statedAt(String statedAt) {
        this.statedAt = statedAt;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String statedAt() {
        return statedAt;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WoundStage";
    }
}
