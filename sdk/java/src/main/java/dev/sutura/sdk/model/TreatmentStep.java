// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * What was done to the wound, as a person recorded it.
 *
 * @param type One of: debridement, graft, skin_substitute, compression, offloading, negative_pressure,
 * antibiotics, surgery, amputation, dressing_change, trauma, other.
 */
public record TreatmentStep(
    String id,
    String type,
    String occurredAt,
    String note,
    String by
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "TreatmentStep[id=" + id + "]";
    }
}
