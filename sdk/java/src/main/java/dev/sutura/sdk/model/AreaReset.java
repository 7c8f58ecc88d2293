// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * A treatment by which the area counts anew; absent: none.
 *
 * @param type debridement, graft or surgery.
 * @param baselineReportId The first area after it, which the areas since are compared with.
 * @param change On that area itself: from the last one before, neither better nor worse; else null.
 * @param beforeReportId What that change is from.
 */
public record AreaReset(
    String type,
    String occurredAt,
    String baselineReportId,
    AreaChange change,
    String beforeReportId
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "AreaReset";
    }
}
