// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** A sign that was looked for, and whether it was there. What nobody looked for is left out. */
public final class StatedSign {
    @JsonProperty("sign")
    private String sign;
    @JsonProperty("status")
    private String status;

    /**
     * One of: warmth, erythema, spreading_erythema, swelling, purulent_exudate, increased_exudate, increased_pain,
     * odour, friable_granulation, debris, enlarging, new_breakdown, probes_to_bone, delayed_healing, fever,
     * lymphangitis.
     */
    public StatedSign sign(String sign) {
        this.sign = sign;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String sign() {
        return sign;
    }

    /** One of: present, absent. */
    public StatedSign status(String status) {
        this.status = status;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String status() {
        return status;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "StatedSign";
    }
}
