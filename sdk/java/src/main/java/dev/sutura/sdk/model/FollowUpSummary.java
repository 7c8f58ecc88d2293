// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * Against the wound’s photo before.
 *
 * @param areaChangePct Below 0: smaller than then.
 */
public record FollowUpSummary(
    String asOf,
    String previousJobId,
    Double daysSincePrevious,
    Double areaChangePct,
    Double areaChangeSinceBaselinePct,
    Double minimalDetectableChangePct,
    Boolean beyondDetectable,
    List<String> warnings
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "FollowUpSummary";
    }
}
