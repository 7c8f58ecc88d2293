// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * The decision that last shaped the report.
 *
 * @param decision One of: accept, reject, correct, reassign.
 * @param enteredBy The person behind the request, of X-Sutura-User; absent: not named.
 */
public record ReviewStamp(
    String decision,
    Reviewer reviewer,
    String note,
    String reviewedAt,
    String enteredBy
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "ReviewStamp";
    }
}
