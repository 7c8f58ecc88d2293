package dev.sutura.sdk;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntConsumer;

/** One request, and what is special about it. */
final class Call {
    final String method;
    /** Below the base URL; or {@link #address}. */
    final String path;
    /** Goes there as it is, and without the key unless {@link #withKey}. */
    final URI address;
    final Map<String, String> headers = new LinkedHashMap<>();
    boolean withKey;
    byte[] json;
    Photo photo;
    UploadProgress progress;
    /** Where the body of a success goes, piece by piece; memory where null. */
    FileSink sink;
    /** Whether a body that moves may take longer than the timeout. */
    boolean isLong;
    /** Statuses besides 2xx that are answers. */
    Set<Integer> accepted = Set.of();
    boolean acceptsRedirects;
    boolean isGoneDone;
    boolean isRepeatable = true;
    boolean isKeyed;
    /** Is told how many attempts failed before each. */
    IntConsumer onAttempt = failures -> { };
    Duration timeout;

    private Call(String method, String path, URI address) {
        this.method = method;
        this.path = path;
        this.address = address;
        this.withKey = address == null;
    }

    static Call of(String method, String path) {
        return new Call(method, path, null);
    }

    static Call to(String method, URI address) {
        return new Call(method, null, address);
    }

    Call query(Query query) {
        return query == null ? this : moved(Query.textOf(query.parameters()));
    }

    Call query(String name, String value) {
        if (value == null) {
            return this;
        }
        String pair = Segment.encoded(name) + "=" + Segment.encoded(value);
        return moved((path.contains("?") ? "&" : "?") + pair);
    }

    private Call moved(String more) {
        Call moved = new Call(method, path + more, null);
        moved.headers.putAll(headers);
        return moved;
    }

    /** Nothing to say is an empty object. */
    Call json(Object body) {
        json = body == null ? new byte[] {'{', '}'} : Json.write(body);
        headers.put("content-type", "application/json");
        return this;
    }

    Call header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /** All attempts have one key, the caller's or a new one. */
    Call key(String idempotencyKey) {
        isKeyed = true;
        return header("idempotency-key", idempotencyKey == null ? UUID.randomUUID().toString() : idempotencyKey);
    }

    /** Not again where the service may have done it. */
    Call once() {
        isRepeatable = false;
        return this;
    }

    /** A repeat that finds nothing did it before. */
    Call goneIsDone() {
        isGoneDone = true;
        return this;
    }

    /** Without the query, which may hold a signature or a patient's number. */
    String shownPath() {
        return address == null ? path.split("\\?", 2)[0] : address.getRawPath();
    }
}
