// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * One of several outlines of a photo.
 *
 * @param number 1 is the largest; it stands beside the outline in pictures: index + 1.
 * @param counted The figures of the report are of those that count.
 * @param confidence null where a person drew the outline.
 */
public record WoundInPhoto(
    Long number,
    Boolean counted,
    Figures figures,
    Double confidence,
    TissueComposition tissue
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WoundInPhoto";
    }

    /** Figures. */
    public record Figures(
        MeasuredArea area,
        MeasuredLength length,
        MeasuredLength width,
        MeasuredLength perimeter
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Figures";
        }
    }
}
