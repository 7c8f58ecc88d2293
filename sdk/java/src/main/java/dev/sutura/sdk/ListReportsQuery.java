// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk;

/** Which items listReports gives. */
public final class ListReportsQuery extends Query {
    /** Most reports on the page. */
    public ListReportsQuery limit(long limit) {
        put("limit", String.valueOf(limit));
        return this;
    }

    /** The nextCursor of the page before, with the same filters. */
    public ListReportsQuery cursor(String cursor) {
        put("cursor", cursor);
        return this;
    }

    /**
     * Only reports whose job has this pair in its metadata, each pair as a parameter metadata.KEY=VALUE:
     * metadata.case=4711. At most 4 pairs, all of which one job has.
     */
    public ListReportsQuery metadata(String key, String value) {
        put("metadata." + key, value);
        return this;
    }
}
