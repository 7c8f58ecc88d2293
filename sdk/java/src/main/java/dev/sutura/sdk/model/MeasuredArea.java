// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * In the photo, and on the plane of the skin.
 *
 * @param pixelBounds What the outline alone leaves open. The true value lies between them in nine of ten cases.
 * @param cm2 null where the photo has no scale: nothing is invented.
 */
public record MeasuredArea(
    Double pixels,
    PixelBounds pixelBounds,
    MeasuredValue cm2
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "MeasuredArea";
    }

    /** What the outline alone leaves open. The true value lies between them in nine of ten cases. */
    public record PixelBounds(
        Double lower,
        Double upper
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "PixelBounds";
        }
    }
}
