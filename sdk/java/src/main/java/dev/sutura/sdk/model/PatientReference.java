// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * The patient as you named them.
 *
 * @param system null: your own numbering.
 */
public record PatientReference(
    String id,
    String system
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "PatientReference[id=" + id + "]";
    }
}
