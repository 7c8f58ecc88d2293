// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * A wound with its candidates and what was decided about it.
 *
 * @param id This service’s id of the wound.
 * @param woundId Your own id; null: unlinked, its assessment named no wound.
 * @param woundIdSystem null: your own numbering.
 * @param laterality One of: left, right, midline.
 * @param status Only a person closes and reopens a wound. One of: open, closed.
 * @param mergedInto The wound that a person joined this one into.
 * @param environment One of: test, live.
 * @param attention The reports of its series that wait for a person, oldest photo first; empty: none.
 * @param course As it stands now: of the last photo, unless a person has closed or reopened it since; null: not
 * known.
 * @param candidates Of an unlinked wound: those of the same patient, site and side that a person may find to be
 * the same.
 * @param events What people decided, oldest first.
 * @param clinicalEvents What was done to it between its photos, without what was withdrawn; oldest first.
 * @param relations With what it has grown together, and into what it has fallen; those taken back, too. Oldest
 * first.
 */
public record WoundDetails(
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
    List<WaitingReport> attention,
    Course course,
    List<Wound> candidates,
    List<WoundEvent> events,
    List<ClinicalEvent> clinicalEvents,
    List<WoundRelation> relations
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WoundDetails[id=" + id + "]";
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
