// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * What was seen of a printed calibration card.
 *
 * @param status used, refused or ignored.
 * @param card a4 or credit_card.
 * @param reason cut_off, contradictory, too_small, too_oblique, unknown_marker, client_scale_given, implausible;
 * null where it was used.
 */
public record MarkerFinding(
    String status,
    String card,
    List<Long> markerIds,
    Double tiltDegrees,
    String reason
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "MarkerFinding";
    }
}
