// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The scale of the photo. Without it there are no centimetres. */
public final class Calibration {
    @JsonProperty("mmPerPixel")
    private Double mmPerPixel;

    /** Of the photo as uploaded, after its EXIF orientation: 0.005 to 5, with which it shows 5 mm to 3 m; else 422. */
    public Calibration mmPerPixel(double mmPerPixel) {
        this.mmPerPixel = mmPerPixel;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Double mmPerPixel() {
        return mmPerPixel;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "Calibration";
    }
}
