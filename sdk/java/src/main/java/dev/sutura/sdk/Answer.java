package dev.sutura.sdk;

import java.net.http.HttpHeaders;

/** An answer whose body is in memory, or empty where it went to a file. */
record Answer(int status, HttpHeaders headers, byte[] body, long sizeBytes) {
    String contentType() {
        return headers.firstValue("content-type").orElse("application/octet-stream");
    }

    boolean hasType(String mediaType) {
        return contentType().split(";")[0].strip().equalsIgnoreCase(mediaType);
    }
}
