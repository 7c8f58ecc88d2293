// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * Whose wound, with the ids as you gave them.
 *
 * @param woundRef This service’s id of the wound.
 * @param woundId Your own id; null: unlinked.
 * @param laterality One of: left, right, midline.
 */
public record ReportSubject(
    PatientReference patient,
    String woundRef,
    String woundId,
    String woundIdSystem,
    CodedConcept bodySite,
    String laterality,
    CodedConcept woundType
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "ReportSubject";
    }
}
