// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a ruler says of a printed calibration card. */
public final class CalibrationCardMeasurement {
    @JsonProperty("size")
    private String size;
    @JsonProperty("measuredBarMm")
    private Double measuredBarMm;

    /** Which card was measured. One of: a4, credit-card. */
    public CalibrationCardMeasurement size(String size) {
        this.size = size;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String size() {
        return size;
    }

    /** Length of its check bar on paper, in millimetres: within a tenth of 100 (a4) or 80 (credit-card). */
    public CalibrationCardMeasurement measuredBarMm(double measuredBarMm) {
        this.measuredBarMm = measuredBarMm;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Double measuredBarMm() {
        return measuredBarMm;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "CalibrationCardMeasurement";
    }
}
