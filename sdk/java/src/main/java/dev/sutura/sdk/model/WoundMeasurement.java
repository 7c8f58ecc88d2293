// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * One outline and its measures. Centimetres are on the plane of the skin.
 *
 * @param index 0 is the largest outline: the wound of the subject, unless <code>region</code> says otherwise.
 * Pictures and reports number from 1: index + 1.
 * @param confidence That an expert outlines a wound here (overlap of one half or more).
 * @param length Greatest distance across the outline.
 * @param width Greatest extent perpendicular to the length.
 * @param perimeter Length of the outer ring.
 * @param tissue null where no tissue model is in use.
 */
public record WoundMeasurement(
    Long index,
    Double confidence,
    BoundingBox boundingBox,
    PixelPolygon contour,
    MeasuredArea area,
    MeasuredLength length,
    MeasuredLength width,
    MeasuredLength perimeter,
    TissueComposition tissue
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WoundMeasurement";
    }

    /** BoundingBox. */
    public record BoundingBox(
        Double x,
        Double y,
        Double width,
        Double height
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "BoundingBox";
        }
    }
}
