// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * A picture made from the analysis.
 *
 * @param url Stable; needs the scope analysis:read.
 */
public record ArtifactReference(
    String url,
    String contentType,
    Long width,
    Long height
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "ArtifactReference";
    }
}
