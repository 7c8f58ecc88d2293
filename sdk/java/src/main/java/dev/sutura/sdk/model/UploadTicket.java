// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.Map;

/**
 * Where and how to upload one photo.
 *
 * @param imageId Names the image from now on.
 * @param uploadUrl Signed address for the PUT of the bytes.
 * @param headers Headers to send with the PUT, exactly as given.
 * @param expiresAt When the address stops working.
 * @param maxBytes Largest photo in bytes.
 */
public record UploadTicket(
    String imageId,
    String uploadUrl,
    String method,
    Map<String, String> headers,
    String expiresAt,
    Long maxBytes
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "UploadTicket[imageId=" + imageId + "]";
    }
}
