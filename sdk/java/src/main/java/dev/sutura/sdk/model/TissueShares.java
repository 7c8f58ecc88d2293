// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Shares of the wound bed; together 1. They count as confirmed by a clinician. */
public final class TissueShares {
    @JsonProperty("granulation")
    private Double granulation;
    @JsonProperty("slough")
    private Double slough;
    @JsonProperty("necrosis")
    private Double necrosis;
    @JsonProperty("other")
    private Double other;

    /** Sets granulation. */
    public TissueShares granulation(double granulation) {
        this.granulation = granulation;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Double granulation() {
        return granulation;
    }

    /** Sets slough. */
    public TissueShares slough(double slough) {
        this.slough = slough;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Double slough() {
        return slough;
    }

    /** Sets necrosis. */
    public TissueShares necrosis(double necrosis) {
        this.necrosis = necrosis;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Double necrosis() {
        return necrosis;
    }

    /** Sets other. */
    public TissueShares other(double other) {
        this.other = other;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Double other() {
        return other;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "TissueShares";
    }
}
