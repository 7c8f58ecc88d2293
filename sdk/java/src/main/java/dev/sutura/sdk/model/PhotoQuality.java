// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * How the photo was taken. No figure is changed by it.
 *
 * @param acceptable false where another photo should be taken; this one was analysed all the same.
 * @param sharpness Steepness of the sharpest edges: about 0.45 for a sharp photo, 0.2 for a blurred one.
 * @param exposure Mean lightness L*.
 * @param glareShare Share of the photo in small white reflections.
 * @param warnings blurred, under_exposed, over_exposed, glare, no_scale, touches_edge, no_wound,
 * open_wounds_only, multiple_outlines, low_resolution, unfamiliar, oblique, marker_refused, scale_mismatch,
 * scale_implausible, uncertain, captured_at_from_photo, camera_time_unused, outline_unlikely; more may come.
 */
public record PhotoQuality(
    Boolean acceptable,
    Double sharpness,
    Double exposure,
    Double glareShare,
    List<String> warnings
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "PhotoQuality";
    }
}
