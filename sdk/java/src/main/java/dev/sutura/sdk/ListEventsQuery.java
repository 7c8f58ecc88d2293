// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk;

/** Which items listEvents gives. */
public final class ListEventsQuery extends Query {
    /** Only events of this type. */
    public ListEventsQuery type(String type) {
        put("type", type);
        return this;
    }

    /**
     * Only events that came into the log then or later, by recordedAt; RFC 3339 with an offset. Default: all of the
     * 30 days.
     */
    public ListEventsQuery since(String since) {
        put("since", since);
        return this;
    }

    /** Most events on the page. */
    public ListEventsQuery limit(long limit) {
        put("limit", String.valueOf(limit));
        return this;
    }

    /** The nextCursor of the page before, with the same filters. */
    public ListEventsQuery cursor(String cursor) {
        put("cursor", cursor);
        return this;
    }
}
