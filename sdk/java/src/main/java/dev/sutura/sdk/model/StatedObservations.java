// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;
import java.util.Map;

/**
 * What clinicians stated, as the report copies it.
 *
 * @param lengthCm Head to toe, as measured at the bedside.
 * @param widthCm Side to side, as measured at the bedside.
 * @param exudate One of: none, light, moderate, heavy.
 * @param exudateType One of: serous, serosanguineous, sanguineous, purulent.
 * @param odour One of: none, faint, moderate, strong.
 * @param painNrs Numeric rating scale.
 * @param undermining Clock positions as seen by whoever faces the wound; 12 is as a rule towards the head.
 * @param tunnelling Clock positions as for undermining.
 * @param edges One of: attached, not_attached, approximated, distinct, diffuse, rolled, undermined, macerated,
 * callused, fibrotic.
 * @param periwound The skin around the wound. One of: intact, macerated, erythema, oedema, induration, warm,
 * dry, scaly, callus, excoriated, fragile, blistered.
 * @param infectionSigns Signs of infection in the clinician’s own words; no diagnosis is made of them.
 * @param infectionSignCodes Signs of infection, each once.
 * @param statedAt When each was stated, of those of another day than the photo’s: a moment with its offset, or a
 * day.
 */
public record StatedObservations(
    Double depthCm,
    Double lengthCm,
    Double widthCm,
    String exudate,
    String exudateType,
    String odour,
    Long painNrs,
    List<Undermining> undermining,
    List<Tunnel> tunnelling,
    List<String> edges,
    List<String> periwound,
    List<String> infectionSigns,
    List<StatedSign> infectionSignCodes,
    WoundStage stage,
    Map<String, String> statedAt
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "StatedObservations";
    }
}
