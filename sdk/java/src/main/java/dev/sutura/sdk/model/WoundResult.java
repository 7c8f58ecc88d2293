// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/**
 * Decision support, not a diagnosis. Fields may be added; ignore those that you do not know.
 *
 * @param woundDetected false is a finding about this photo, and never that a wound has healed.
 * @param confidence That woundDetected is true of this photo.
 * @param familiarity null where nothing is outlined or the model states no calibration. Absent in results of
 * older releases.
 * @param region Which outline is the wound of the subject, by subject.region. Absent: none was stated.
 * @param scores null where the operator has not turned scores on.
 * @param followUp As known when the job completed; the wound’s timeline has the present state. null where there
 * is nothing to compare with.
 * @param attention Why the report waits for a person, as known when the job completed: site_mismatch,
 * duplicate_photo, which_outline, no_wound_in_region, area_jump, area_implausible, before_birth, sandbox; empty:
 * it does not. The report has the present state.
 * @param trace Which model made this, and how.
 */
public record WoundResult(
    String schemaVersion,
    Boolean woundDetected,
    Double confidence,
    PhotoQuality quality,
    Familiarity familiarity,
    ScaleUsed scale,
    List<WoundMeasurement> wounds,
    Region region,
    Totals totals,
    Scores scores,
    FollowUpSummary followUp,
    List<String> attention,
    Artifacts artifacts,
    Trace trace
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WoundResult";
    }

    /**
     * Which outline is the wound of the subject, by subject.region. Absent: none was stated.
     *
     * @param outline Its index; null: no wound lies there.
     */
    public record Region(
        Long outline
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Region";
        }
    }

    /** Totals. */
    public record Totals(
        Long woundCount,
        Double areaPixels,
        Double areaCm2
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Totals";
        }
    }

    /** Scores. */
    public record Scores(
        PushScore push
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Scores";
        }
    }

    /**
     * Artifacts.
     *
     * @param tissue The tissue of each pixel. Absent where no tissue was told apart, and in earlier results.
     */
    public record Artifacts(
        ArtifactReference mask,
        ArtifactReference overlay,
        ArtifactReference tissue
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Artifacts";
        }
    }

    /**
     * Which model made this, and how.
     *
     * @param pixelSha256 SHA-256 of the pixels as they were decoded: the same for a copy saved anew without loss.
     * Absent in earlier results.
     * @param areaRepeatabilityPct How much an area varies where the same wound is photographed anew: one standard
     * deviation in %.
     */
    public record Trace(
        String pixelSha256,
        List<ModelUsed> models,
        String executionProvider,
        Map<String, JsonNode> preprocessing,
        Map<String, JsonNode> thresholds,
        Double areaRepeatabilityPct,
        Map<String, Double> timingsMs
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Trace";
        }
    }
}
