// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk;

import dev.sutura.sdk.model.Usage;

/** Operations on usage. */
abstract class UsageOperations extends SandboxOperations {
    UsageOperations(Calls calls) {
        super(calls);
    }

    /** Read the use of the daily quota */
    public Usage getUsage() {
        return calls.json(Call.of("GET", "/api/v1/usage"), Usage.class, "remaining");
    }
}
