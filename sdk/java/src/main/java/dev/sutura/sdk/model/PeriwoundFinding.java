// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/** How the skin around the wound looks. */
public final class PeriwoundFinding {
    public static final String INTACT = "intact";
    public static final String MACERATED = "macerated";
    public static final String ERYTHEMA = "erythema";
    public static final String OEDEMA = "oedema";
    public static final String INDURATION = "induration";
    public static final String WARM = "warm";
    public static final String DRY = "dry";
    public static final String SCALY = "scaly";
    public static final String CALLUS = "callus";
    public static final String EXCORIATED = "excoriated";
    public static final String FRAGILE = "fragile";
    public static final String BLISTERED = "blistered";

    private PeriwoundFinding() {
    }
}
