// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * A person had closed the wound before this photo was taken.
 *
 * @param reopenedAt null: nobody has reopened it.
 * @param reason Absent: not said, which counts as other. One of: healed, amputated, grafted, merged,
 * transferred, died, entered_in_error, other.
 */
public record WoundClosure(
    String closedAt,
    String reopenedAt,
    String reason
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WoundClosure";
    }
}
