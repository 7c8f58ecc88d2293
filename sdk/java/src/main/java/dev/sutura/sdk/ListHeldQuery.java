// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk;

/** Which items listHeld gives. */
public final class ListHeldQuery extends Query {
    /** For this reason only. */
    public ListHeldQuery reason(String reason) {
        put("reason", reason);
        return this;
    }

    /** Only what has waited for so many seconds. */
    public ListHeldQuery olderThanS(long olderThanS) {
        put("olderThanS", String.valueOf(olderThanS));
        return this;
    }

    /** Items on a page. */
    public ListHeldQuery limit(long limit) {
        put("limit", String.valueOf(limit));
        return this;
    }

    /** nextCursor of the page before. */
    public ListHeldQuery cursor(String cursor) {
        put("cursor", cursor);
        return this;
    }
}
