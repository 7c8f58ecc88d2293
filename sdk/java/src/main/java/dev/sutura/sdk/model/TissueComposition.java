// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * Shares of the wound bed; together 1.
 *
 * @param necrosis By a colour rule: it feeds no flag and no score until a clinician confirms it.
 */
public record TissueComposition(
    Double granulation,
    Double slough,
    Double necrosis,
    Double other,
    Method method
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "TissueComposition";
    }

    /**
     * Method.
     *
     * @param granulation model, cielab_rule (a stated colour rule that no expert labelled), remainder, or clinician
     * (in a review); more may come.
     * @param slough model, cielab_rule (a stated colour rule that no expert labelled), remainder, or clinician (in a
     * review); more may come.
     * @param necrosis model, cielab_rule (a stated colour rule that no expert labelled), remainder, or clinician (in
     * a review); more may come.
     * @param other model, cielab_rule (a stated colour rule that no expert labelled), remainder, or clinician (in a
     * review); more may come.
     */
    public record Method(
        String granulation,
        String slough,
        String necrosis,
        String other
    ) {
        /** Without content: what is printed may end in a log. */
        @Override
        public String toString() {
            return "Method";
        }
    }
}
