// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * The organization’s analyses of today.
 *
 * @param limit Analyses per UTC day, both environments together.
 * @param resetsAt The next 00:00 UTC.
 */
public record Usage(
    Long limit,
    Long used,
    Long remaining,
    String resetsAt
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "Usage";
    }
}
