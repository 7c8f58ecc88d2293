// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * The clock of an organization’s test environment.
 *
 * @param now The time of the clock as this answer is written. It goes on at the pace of real time.
 * @param aheadSeconds How far ahead of real time it is; 0: it was never moved.
 * @param latest The latest moment to which it can be set at present: 3650 days ahead of real time.
 */
public record SandboxClock(
    String now,
    Double aheadSeconds,
    String latest
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "SandboxClock";
    }
}
