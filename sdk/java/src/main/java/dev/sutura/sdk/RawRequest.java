package dev.sutura.sdk;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A request to any route of the service. */
public final class RawRequest extends Query {
    final String method;
    final String path;
    final Map<String, String> headers = new LinkedHashMap<>();
    Object json;
    String idempotencyKey;
    Duration timeout;

    private RawRequest(String method, String path) {
        this.method = method;
        this.path = path;
    }

    /** {@code path} begins with a slash and stands below the base URL: the key goes nowhere else. */
    public static RawRequest of(String method, String path) {
        if (path == null || !path.startsWith("/") || path.startsWith("//")) {
            throw new IllegalArgumentException("The path begins with one slash: the key goes nowhere else.");
        }
        return new RawRequest(method.toUpperCase(Locale.ROOT), path);
    }

    /** Adds a parameter. */
    public RawRequest query(String name, String value) {
        put(name, value);
        return this;
    }

    /** A body: a type of this library, a map, a {@code JsonNode}. */
    public RawRequest json(Object body) {
        json = body;
        return this;
    }

    /** Adds a header. */
    public RawRequest header(String name, String value) {
        if (name.equalsIgnoreCase("authorization") || name.equalsIgnoreCase("x-api-key")) {
            throw new ConfigurationException("The key is that of the client: give no header " + name + ".", Facts.NONE);
        }
        headers.put(name.toLowerCase(Locale.ROOT), value);
        return this;
    }

    /** With it a POST is repeated after a lost answer. */
    public RawRequest idempotencyKey(String key) {
        idempotencyKey = key;
        return this;
    }

    /** In place of the client's. */
    public RawRequest timeout(Duration given) {
        timeout = given;
        return this;
    }

    Call toCall() {
        String more = textOf(parameters());
        Call call = Call.of(method, path + (path.contains("?") ? more.replaceFirst("^\\?", "&") : more));
        call.header("accept", "application/json");
        headers.forEach(call::header);
        if (json != null) {
            call.json(json);
        }
        if (idempotencyKey != null) {
            call.key(idempotencyKey);
        }
        call.acceptsRedirects = true;
        call.isRepeatable = idempotencyKey != null || !(method.equals("POST") || method.equals("PATCH"));
        call.timeout = timeout;
        return call;
    }
}
