// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/** Of pressure injuries 1 to 4 or a word, of Wagner 0 to 5, of the University of Texas 0A to 3D. */
public final class WoundStageValue {
    public static final String _0 = "0";
    public static final String _1 = "1";
    public static final String _2 = "2";
    public static final String _3 = "3";
    public static final String _4 = "4";
    public static final String _5 = "5";
    public static final String UNSTAGEABLE = "unstageable";
    public static final String SUSPECTED_DEEP_TISSUE_INJURY = "suspected_deep_tissue_injury";
    public static final String MUCOSAL = "mucosal";
    public static final String _0A = "0A";
    public static final String _0B = "0B";
    public static final String _0C = "0C";
    public static final String _0D = "0D";
    public static final String _1A = "1A";
    public static final String _1B = "1B";
    public static final String _1C = "1C";
    public static final String _1D = "1D";
    public static final String _2A = "2A";
    public static final String _2B = "2B";
    public static final String _2C = "2C";
    public static final String _2D = "2D";
    public static final String _3A = "3A";
    public static final String _3B = "3B";
    public static final String _3C = "3C";
    public static final String _3D = "3D";

    private WoundStageValue() {
    }
}
