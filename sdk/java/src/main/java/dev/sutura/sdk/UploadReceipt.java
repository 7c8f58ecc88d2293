package dev.sutura.sdk;

/**
 * What the store said of a photo.
 *
 * @param etag its tag; may be null
 * @param sizeBytes what was sent
 */
public record UploadReceipt(String etag, long sizeBytes) {
}
