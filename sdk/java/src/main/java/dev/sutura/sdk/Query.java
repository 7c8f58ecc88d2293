package dev.sutura.sdk;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Which items of a list are wanted. */
public abstract class Query {
    private final Map<String, String> parameters = new LinkedHashMap<>();

    Query() {
    }

    final void put(String name, String value) {
        if (value == null) {
            parameters.remove(name);
        } else {
            parameters.put(name, value);
        }
    }

    /** The same of the page behind a cursor. */
    static <Q extends Query> Q after(Q query, Supplier<Q> make, String cursor) {
        Q next = make.get();
        if (query != null) {
            query.parameters().forEach(next::put);
        }
        if (cursor != null) {
            next.put("cursor", cursor);
        }
        return next;
    }

    final Map<String, String> parameters() {
        return parameters;
    }

    static String textOf(Map<String, String> parameters) {
        return parameters.entrySet().stream()
            .map(one -> Segment.encoded(one.getKey()) + "=" + Segment.encoded(one.getValue()))
            .collect(Collectors.joining("&", parameters.isEmpty() ? "" : "?", ""));
    }

    /** Without content: a query may hold a patient's number. */
    @Override
    public String toString() {
        return getClass().getSimpleName();
    }
}
