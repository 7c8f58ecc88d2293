// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/** GeoJSON polygon in pixels of the oriented photo: the outer ring first, then holes. */
public record PixelPolygon(
    String type,
    List<List<List<Double>>> coordinates
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "PixelPolygon";
    }
}
