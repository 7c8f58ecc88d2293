// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk;

/** Which items listWounds gives. */
public final class ListWoundsQuery extends Query {
    /** Only wounds of this patient, by your identifier. */
    public ListWoundsQuery patientId(String patientId) {
        put("patientId", patientId);
        return this;
    }

    /** Only wounds with this identifier of yours. */
    public ListWoundsQuery woundId(String woundId) {
        put("woundId", woundId);
        return this;
    }

    /** Only wounds in this state. */
    public ListWoundsQuery status(String status) {
        put("status", status);
        return this;
    }

    /** false: only those whose assessment named no wound. */
    public ListWoundsQuery linked(boolean linked) {
        put("linked", String.valueOf(linked));
        return this;
    }

    /** true: only wounds with a report that waits for a person. */
    public ListWoundsQuery attention(boolean attention) {
        put("attention", String.valueOf(attention));
        return this;
    }

    /** Most wounds on the page. */
    public ListWoundsQuery limit(long limit) {
        put("limit", String.valueOf(limit));
        return this;
    }

    /** The nextCursor of the page before, with the same filters. */
    public ListWoundsQuery cursor(String cursor) {
        put("cursor", cursor);
        return this;
    }

    /**
     * Only wounds with a photo whose job has this pair in its metadata, and those that such a wound was joined into,
     * each pair as a parameter metadata.KEY=VALUE: metadata.case=4711. At most 4 pairs, all of which one job has.
     */
    public ListWoundsQuery metadata(String key, String value) {
        put("metadata." + key, value);
        return this;
    }
}
