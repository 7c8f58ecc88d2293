package dev.sutura.sdk;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;

/** What came out of a call, as the cases write it. */
final class Forms {
    private Forms() {
    }

    static JsonNode ofValue(Object value, JsonNode wanted) {
        if (value instanceof TaggedReport report) {
            ObjectNode form = Json.MAPPER.valueToTree(report.report());
            return form.put("etag", report.etag());
        }
        if (value instanceof RawAnswer answer) {
            ObjectNode form = Json.MAPPER.createObjectNode().put("status", answer.status())
                .put("requestId", answer.header("x-request-id"));
            ObjectNode headers = form.putObject("headers");
            answer.headers().map().forEach((name, values) -> headers.put(name, String.join(", ", values)));
            return form;
        }
        if (value instanceof SavedFile file) {
            return Json.MAPPER.createObjectNode().put("contentType", file.contentType()).put("sizeBytes", file.sizeBytes());
        }
        JsonNode form = Json.MAPPER.valueToTree(value);
        // The other libraries give some lists without what is around them.
        boolean isUnwrapped = wanted != null && !wanted.isObject() && form.isObject();
        if (isUnwrapped) {
            return form.has("items") ? form.get("items") : form.get("replayed");
        }
        return form;
    }

    static JsonNode ofError(Exception error) {
        ObjectNode form = Json.MAPPER.createObjectNode();
        if (error instanceof SuturaException own) {
            form.put("status", own.status()).put("code", own.code()).put("requestId", own.requestId())
                .put("heldId", own.heldId());
            form.set("errors", Json.MAPPER.valueToTree(own.errors()));
            Duration after = own.retryAfter();
            form.put("retryAfterMs", after == null ? null : after.toMillis());
        }
        if (error instanceof JobFailedException failed) {
            form.put("retryable", failed.isRetryable());
            form.set("job", Json.MAPPER.valueToTree(failed.job()));
        }
        if (error instanceof WaitTimeoutException late) {
            form.set("job", Json.MAPPER.valueToTree(late.job()));
        }
        return form;
    }
}
