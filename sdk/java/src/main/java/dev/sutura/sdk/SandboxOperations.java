// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk;

import dev.sutura.sdk.model.SandboxClock;
import dev.sutura.sdk.model.SandboxClockRequest;

/** Operations on sandbox. */
abstract class SandboxOperations extends SamplesOperations {
    SandboxOperations(Calls calls) {
        super(calls);
    }

    /** The clock of the test environment */
    public SandboxClock getSandboxClock() {
        return calls.json(Call.of("GET", "/api/v1/sandbox/clock"), SandboxClock.class, "now");
    }

    /**
     * Move the clock of the test environment ahead
     *
     * @param idempotencyKey the same for every repeat of this; null: a new one
     */
    public SandboxClock moveSandboxClock(SandboxClockRequest request, String idempotencyKey) {
        return calls.json(Call.of("POST", "/api/v1/sandbox/clock").json(request).key(idempotencyKey), SandboxClock.class, "now");
    }

    /** Move the clock of the test environment ahead */
    public SandboxClock moveSandboxClock(SandboxClockRequest request) {
        return moveSandboxClock(request, null);
    }
}
