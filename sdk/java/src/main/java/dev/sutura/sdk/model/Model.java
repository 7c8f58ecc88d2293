// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/**
 * A model of this installation.
 *
 * @param task wound-segmentation or tissue-segmentation; more may come.
 * @param variant fast, accurate (of an operator’s own models) or null.
 * @param sha256 Of the weights, as in the trace of every result made with them.
 * @param active Whether jobs are analysed with it.
 * @param researchOnly Its licence forbids the use on patients.
 * @param metrics Figures as its maker states them; null where there are none.
 * @param card The model card, Markdown; null where there is none.
 */
public record Model(
    String name,
    String version,
    String task,
    String variant,
    String sha256,
    Boolean active,
    Boolean researchOnly,
    String licence,
    Map<String, JsonNode> metrics,
    String card,
    Links links
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "Model";
    }

    /**
     * Links.
     *
     * @param fhirModelCard The card as a FHIR DocumentReference.
     */
    public record Links(
        String fhirModelCard
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Links";
        }
    }
}
