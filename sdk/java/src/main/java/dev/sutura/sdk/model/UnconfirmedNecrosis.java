// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * So much necrosis, by the software alone, that a person should look: 20 points more than last time, or a
 * quarter of the bed that no clinician ever stated. It changes no verdict and raises no flag; absent: none.
 *
 * @param fromPct null: no earlier photo whose tissue can be trusted.
 * @param days 0: nothing is compared.
 */
public record UnconfirmedNecrosis(
    Double fromPct,
    Double toPct,
    Double days,
    String comparedWithReportId
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "UnconfirmedNecrosis";
    }
}
