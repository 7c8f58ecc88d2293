// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * In the photo, and on the plane of the skin.
 *
 * @param cm null where the photo has no scale: nothing is invented.
 * @param line The ends of a length or width, in pixels of the oriented photo: what to draw. A perimeter has
 * none, and so have results from before lines were kept.
 */
public record MeasuredLength(
    Double pixels,
    MeasuredValue cm,
    List<List<Double>> line
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "MeasuredLength";
    }
}
