package dev.sutura.sdk;

/** Is told how much of a photo has been sent. */
@FunctionalInterface
public interface UploadProgress {
    /** Called in a thread of the HTTP client; what it throws ends the upload. */
    void sent(long sentBytes, long totalBytes);
}
