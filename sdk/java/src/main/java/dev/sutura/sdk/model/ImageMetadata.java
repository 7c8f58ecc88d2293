// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * What the service knows of one photo, without the photo.
 *
 * @param status awaiting_upload or stored. Where photos go straight to an object store, stored once a job was
 * created or a FHIR resource named the photo.
 * @param contentType By the bytes, whatever was announced; null until they are stored, as the others that they
 * say.
 * @param sha256 In hex.
 * @param width In pixels, after the EXIF orientation; null for a file that cannot be read, too.
 * @param readable false: no job can be created, 422 image.unreadable or image.damaged.
 * @param unreadableReason broken, damaged, too_small, too_many_pixels, too_narrow or animated; more may come.
 * @param environment One of: test, live.
 * @param createdAt When the upload address was asked for, or the photo came in a message.
 * @param uploadExpiresAt When the upload address stops working.
 */
public record ImageMetadata(
    String imageId,
    String status,
    String contentType,
    Long sizeBytes,
    String sha256,
    Long width,
    Long height,
    Boolean readable,
    String unreadableReason,
    String environment,
    String createdAt,
    String storedAt,
    String uploadExpiresAt
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "ImageMetadata[imageId=" + imageId + "]";
    }
}
