// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * What the photo says of the wound, after what people corrected.
 *
 * @param photo The oriented photo.
 * @param outlines Those that belong to the wound.
 * @param outlineSource model, reviewer_choice or reviewer_contour.
 * @param otherOutlines Found in the photo and not counted.
 * @param wounds Every outline of the photo, where there are several. Earlier reports lack it.
 * @param ambiguous Several outlines compete and nobody has said which belong: no trend is made from this photo.
 * @param figures Of several outlines area and perimeter are sums, length and width those of the largest. null
 * without an outline.
 * @param confirmedTissues Those whose share a clinician stated.
 * @param confidence null where a person drew the outline.
 * @param familiarity Of the model’s outline, whoever drew the present one. Absent in reports of older releases.
 * @param areaRepeatabilityPct How much an area varies where nothing but the photo changes: one standard
 * deviation, in %.
 */
public record AssessmentFindings(
    Photo photo,
    Boolean woundDetected,
    List<PixelPolygon> outlines,
    String outlineSource,
    Long otherOutlines,
    List<WoundInPhoto> wounds,
    Boolean ambiguous,
    Figures figures,
    TissueComposition tissue,
    List<String> confirmedTissues,
    PushScore push,
    Double confidence,
    PhotoQuality quality,
    Familiarity familiarity,
    ScaleUsed scale,
    Double areaRepeatabilityPct,
    String model
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "AssessmentFindings";
    }

    /** The oriented photo. */
    public record Photo(
        Long widthPx,
        Long heightPx
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Photo";
        }
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
