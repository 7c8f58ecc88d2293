// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * What came of the sample, sent alone for a patient and a wound of its own, analysed with seenWith. No promise
 * of another model.
 *
 * @param job One of: completed, refused.
 * @param refusedWith The code of the refusal; null: none, and the rest is null with one.
 * @param acceptable quality.acceptable of the result.
 * @param outlines null where the outline is not reliable: another model draws another one.
 * @param areaCm2 To a tenth; null as outlines, and without a scale.
 * @param necrosisShare Of the wound bed, to a hundredth; null as areaCm2, or none.
 * @param warnings quality.warnings of the result.
 * @param attention Why its report waits for a person; empty: it does not.
 */
public record SampleSeen(
    String job,
    String refusedWith,
    Boolean woundDetected,
    Boolean acceptable,
    Boolean outlineReliable,
    Long outlines,
    Double areaCm2,
    Double necrosisShare,
    List<String> warnings,
    List<String> attention
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "SampleSeen";
    }
}
