// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Where in the photo the wound lies, in pixels of the photo upright (after its EXIF orientation). Of a photo
 * that shows several wounds.
 */
public final class PhotoRegion {
    @JsonProperty("x")
    private Double x;
    @JsonProperty("y")
    private Double y;
    @JsonProperty("width")
    private Double width;
    @JsonProperty("height")
    private Double height;

    /** Sets x. */
    public PhotoRegion x(double x) {
        this.x = x;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Double x() {
        return x;
    }

    /** Sets y. */
    public PhotoRegion y(double y) {
        this.y = y;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Double y() {
        return y;
    }

    /** With height: a box with x, y at its upper left; without both: a point. */
    public PhotoRegion width(double width) {
        this.width = width;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Double width() {
        return width;
    }

    /** Sets height. */
    public PhotoRegion height(double height) {
        this.height = height;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Double height() {
        return height;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "PhotoRegion";
    }
}
