package dev.sutura.sdk;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpHeaders;

/**
 * An answer as it came.
 *
 * @param status below 400: refusals are thrown
 * @param headers such as {@code RateLimit} and {@code ETag}
 * @param body its bytes
 */
public record RawAnswer(int status, HttpHeaders headers, byte[] body) {
    /** The first header of a name; null where there is none. */
    public String header(String name) {
        return headers.firstValue(name).orElse(null);
    }

    /** The body as JSON; null where it is none. */
    public JsonNode json() {
        return Json.read(body);
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "RawAnswer[status=" + status + "]";
    }
}
