// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * Why a job ended in error.
 *
 * @param code A code of docs/errors.md.
 * @param retryable true where a new job on the same photo may succeed.
 */
public record JobError(
    String code,
    String detail,
    Boolean retryable
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "JobError";
    }
}
