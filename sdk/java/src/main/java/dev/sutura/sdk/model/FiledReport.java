// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * A report without its content: links.self has that.
 *
 * @param version The present one.
 * @param status entered-in-error: withdrawn; replacedBy has what took its place. One of: preliminary, final,
 * amended, corrected, entered-in-error.
 * @param woundRef The wound that it was filed under. Where a person joined that one into another, it says so
 * (mergedInto).
 * @param attention Why it waits for a person; empty: it does not.
 * @param createdAt When its first version was filed.
 */
public record FiledReport(
    String id,
    Long version,
    String status,
    String jobId,
    String imageId,
    String woundRef,
    List<String> attention,
    String replaces,
    String replacedBy,
    String capturedAt,
    String createdAt,
    Links links
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "FiledReport[id=" + id + "]";
    }

    /** Links. */
    public record Links(
        String self,
        String job,
        String wound
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Links";
        }
    }
}
