// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * Held.
 *
 * @param environment One of: test, live.
 * @param reason One of: identity_conflict, patient_unknown, order_without_photo, photo_without_order,
 * wound_unclear, authority_unknown, photo_times_out, ehr_patient_not_one, ehr_encounter_not_one,
 * ehr_outcome_unknown.
 * @param door null: it came through several. One of: rest, fhir, hl7v2, ehr.
 * @param came Ids of what came and of what it touches, at most 100 of each sort.
 * @param waitsFor In words.
 * @param actions What can be done; none: it goes on by itself. One of: same, another, discard, link, accept,
 * same_authority, own_authority, retry, wait.
 */
public record Held(
    String id,
    String environment,
    String reason,
    String since,
    String door,
    Came came,
    String waitsFor,
    List<String> actions
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "Held[id=" + id + "]";
    }

    /**
     * Ids of what came and of what it touches, at most 100 of each sort.
     *
     * @param resources Type/id
     */
    public record Came(
        List<String> messageIds,
        List<String> resources,
        List<String> jobIds,
        List<String> imageIds,
        List<String> patientIds,
        List<String> orders
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Came";
        }
    }
}
