// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * A value with its bounds. The true value lies between them in nine of ten cases. They hold what the outline and
 * the scale leave open.
 */
public record MeasuredValue(
    Double value,
    Double lower,
    Double upper
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "MeasuredValue";
    }
}
