// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * What the centimetres are made from.
 *
 * @param source marker, client or none; in a report also reviewer: a person set it at the review. More may come.
 * @param mmPerPixel At the centre of the largest wound, else of the photo.
 * @param uncertaintyPct One standard deviation of a length, in %.
 * @param pixelToMm 3x3 matrix, row by row, from pixels of the oriented photo to millimetres on the plane of the
 * skin (homogeneous coordinates).
 * @param marker null where no marker was seen.
 */
public record ScaleUsed(
    String source,
    Double mmPerPixel,
    Double uncertaintyPct,
    List<Double> pixelToMm,
    MarkerFinding marker
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "ScaleUsed";
    }
}
