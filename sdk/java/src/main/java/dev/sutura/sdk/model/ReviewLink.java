// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * Opens the review desk for what it was made for.
 *
 * @param url Opens once. A secret until then: show it to the person, and keep it nowhere.
 * @param expiresAt The desk ends then, too.
 */
public record ReviewLink(
    String id,
    String url,
    String expiresAt
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "ReviewLink[id=" + id + "]";
    }
}
