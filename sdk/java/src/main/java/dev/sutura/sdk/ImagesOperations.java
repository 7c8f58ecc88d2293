// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk;

import dev.sutura.sdk.model.ImageMetadata;
import dev.sutura.sdk.model.UploadRequest;
import dev.sutura.sdk.model.UploadTicket;

/** Operations on images. */
abstract class ImagesOperations extends HeldOperations {
    ImagesOperations(Calls calls) {
        super(calls);
    }

    /**
     * Ask for a signed upload URL
     *
     * @param request may be null
     */
    public UploadTicket getUploadUrl(UploadRequest request) {
        return calls.json(Call.of("POST", "/api/v1/images/upload-url").json(request), UploadTicket.class, "imageId", "uploadUrl");
    }

    /** Ask for a signed upload URL */
    public UploadTicket getUploadUrl() {
        return getUploadUrl(null);
    }

    /** Read what is known of a photo */
    public ImageMetadata getImage(String imageId) {
        return calls.json(Call.of("GET", "/api/v1/images/" + Segment.of("imageId", imageId)), ImageMetadata.class, "imageId", "status");
    }
}
