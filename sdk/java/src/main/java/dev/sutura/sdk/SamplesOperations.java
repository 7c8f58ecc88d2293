// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk;

import dev.sutura.sdk.model.SampleList;

/** Operations on samples. */
abstract class SamplesOperations extends ModelsOperations {
    SamplesOperations(Calls calls) {
        super(calls);
    }

    /** Photos to test an integration with */
    public SampleList listSamples() {
        return calls.json(Call.of("GET", "/api/v1/samples"), SampleList.class, "items");
    }

    /** One of these photos */
    public byte[] downloadSample(String name) {
        return calls.bytes(Call.of("GET", "/api/v1/samples/" + Segment.of("name", name)), "image/jpeg");
    }
}
