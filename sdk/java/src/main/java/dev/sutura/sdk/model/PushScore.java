// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * PUSH Tool 3.0, where the operator has turned it on.
 *
 * @param area 0 to 10, from the length and width that the clinician gave; never from the photo.
 * @param tissue 0 to 4, from the worst tissue that a clinician confirmed.
 * @param exudate 0 to 3, from the clinician.
 * @param total 0 to 17; only where all three are known.
 */
public record PushScore(
    Long area,
    Long tissue,
    Long exudate,
    Long total,
    List<String> missing
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "PushScore";
    }
}
