package dev.sutura.sdk;

/** How a document is wanted. */
public final class DocumentOptions extends Query {
    private Long version;

    /** Language: en, es, de or fr; else that of the organization. */
    public DocumentOptions language(String language) {
        put("lang", language);
        return this;
    }

    /** Of a PDF: a4 or letter. */
    public DocumentOptions paper(String paper) {
        put("paper", paper);
        return this;
    }

    /** Of a wound: photos from this moment on. */
    public DocumentOptions from(String from) {
        put("from", from);
        return this;
    }

    /** Of a wound: photos until this moment. */
    public DocumentOptions to(String to) {
        put("to", to);
        return this;
    }

    /** Of a report: as this version had it. */
    public DocumentOptions version(long number) {
        version = number;
        return this;
    }

    Long version() {
        return version;
    }
}
