// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What is known of the photo beforehand. Every field is optional. */
public final class UploadRequest {
    @JsonProperty("contentType")
    private String contentType;
    @JsonProperty("contentLength")
    private Long contentLength;
    @JsonProperty("sha256")
    private String sha256;

    /** Type that will be sent; part of the signature when given. One of: image/jpeg, image/png, image/webp. */
    public UploadRequest contentType(String contentType) {
        this.contentType = contentType;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String contentType() {
        return contentType;
    }

    /** Bytes that will be sent; part of the signature when given. */
    public UploadRequest contentLength(long contentLength) {
        this.contentLength = contentLength;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public Long contentLength() {
        return contentLength;
    }

    /** SHA-256 of the bytes in hex; other bytes are refused. */
    public UploadRequest sha256(String sha256) {
        this.sha256 = sha256;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String sha256() {
        return sha256;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "UploadRequest";
    }
}
