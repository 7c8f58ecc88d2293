package dev.sutura.sdk;

/** The forms of a report. */
public enum DocumentFormat {
    /** PDF. */
    PDF("application/pdf"),
    /** HTML. */
    HTML("text/html"),
    /** Plain text. */
    TEXT("text/plain"),
    /** JSON. */
    JSON("application/json");

    final String mediaType;

    DocumentFormat(String mediaType) {
        this.mediaType = mediaType;
    }
}
