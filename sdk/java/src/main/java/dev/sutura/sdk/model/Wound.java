// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * One physical wound over all its assessments.
 *
 * @param id This service’s id of the wound.
 * @param woundId Your own id; null: unlinked, its assessment named no wound.
 * @param woundIdSystem null: your own numbering.
 * @param laterality One of: left, right, midline.
 * @param status Only a person closes and reopens a wound. One of: open, closed.
 * @param mergedInto The wound that a person joined this one into.
 * @param environment One of: test, live.
 * @param attention The reports of its series that wait for a person, oldest photo first; empty: none.
 */
public record Wound(
    String id,
    PatientReference patient,
    String woundId,
    String woundIdSystem,
    Boolean linked,
    CodedConcept bodySite,
    String laterality,
    CodedConcept woundType,
    String status,
    String closedAt,
    String mergedInto,
    String environment,
    String createdAt,
    Links links,
    List<WaitingReport> attention
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "Wound[id=" + id + "]";
    }

    /** Links. */
    public record Links(
        String self,
        String timeline,
        String report
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Links";
        }
    }
}
