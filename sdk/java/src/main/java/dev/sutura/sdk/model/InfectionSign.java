// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/** A sign of infection that a clinician looks for. */
public final class InfectionSign {
    public static final String WARMTH = "warmth";
    public static final String ERYTHEMA = "erythema";
    public static final String SPREADING_ERYTHEMA = "spreading_erythema";
    public static final String SWELLING = "swelling";
    public static final String PURULENT_EXUDATE = "purulent_exudate";
    public static final String INCREASED_EXUDATE = "increased_exudate";
    public static final String INCREASED_PAIN = "increased_pain";
    public static final String ODOUR = "odour";
    public static final String FRIABLE_GRANULATION = "friable_granulation";
    public static final String DEBRIS = "debris";
    public static final String ENLARGING = "enlarging";
    public static final String NEW_BREAKDOWN = "new_breakdown";
    public static final String PROBES_TO_BONE = "probes_to_bone";
    public static final String DELAYED_HEALING = "delayed_healing";
    public static final String FEVER = "fever";
    public static final String LYMPHANGITIS = "lymphangitis";

    private InfectionSign() {
    }
}
