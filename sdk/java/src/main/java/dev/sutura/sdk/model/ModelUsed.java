// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * A model that the figures come from.
 *
 * @param task wound-segmentation or tissue-segmentation; more may come. Results from before models said it lack
 * it.
 */
public record ModelUsed(
    String name,
    String version,
    String sha256,
    Boolean researchOnly,
    String task
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "ModelUsed";
    }
}
