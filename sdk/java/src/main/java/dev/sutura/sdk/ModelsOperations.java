// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk;

import dev.sutura.sdk.model.ModelList;

/** Operations on models. */
abstract class ModelsOperations extends ImagesOperations {
    ModelsOperations(Calls calls) {
        super(calls);
    }

    /** List the models of this installation */
    public ModelList listModels() {
        return calls.json(Call.of("GET", "/api/v1/models"), ModelList.class, "items");
    }
}
