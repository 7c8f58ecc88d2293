// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * A person’s decision about a wound.
 *
 * @param decision One of: merged, unmerged, closed, reopened, joined, unjoined, split, unsplit.
 * @param otherWound Into which wound it was merged, or out of which it was taken; with joined and split what it
 * became.
 * @param reason Of closing; null: not said, which counts as other. One of: healed, amputated, grafted, merged,
 * transferred, died, entered_in_error, other.
 * @param enteredBy The person behind the request, of X-Sutura-User; null: not named.
 */
public record WoundEvent(
    String decision,
    String otherWound,
    Reviewer reviewer,
    String note,
    String reason,
    String decidedAt,
    String enteredBy
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WoundEvent";
    }
}
