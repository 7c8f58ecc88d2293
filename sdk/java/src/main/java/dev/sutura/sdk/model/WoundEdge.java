// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/** How an edge of the wound looks. */
public final class WoundEdge {
    public static final String ATTACHED = "attached";
    public static final String NOT_ATTACHED = "not_attached";
    public static final String APPROXIMATED = "approximated";
    public static final String DISTINCT = "distinct";
    public static final String DIFFUSE = "diffuse";
    public static final String ROLLED = "rolled";
    public static final String UNDERMINED = "undermined";
    public static final String MACERATED = "macerated";
    public static final String CALLUSED = "callused";
    public static final String FIBROTIC = "fibrotic";

    private WoundEdge() {
    }
}
