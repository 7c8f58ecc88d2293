package dev.sutura.sdk;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ids as one segment of a path. */
final class Segment {
    private static final Pattern REPORT_LINK = Pattern.compile("^https?://.*/reports/([^/?#]+)$");

    private Segment() {
    }

    static String of(String name, String id) {
        // An empty one would lead to another route.
        if (id == null || id.isEmpty() || id.equals(".") || id.equals("..")) {
            throw new IllegalArgumentException(name + " must be an id as the service gave it.");
        }
        return encoded(id);
    }

    /** Of a link only the id counts: the key goes nowhere but to the service that the client was made for. */
    static String ofReport(String reportId) {
        Matcher link = REPORT_LINK.matcher(reportId == null ? "" : reportId);
        return of("reportId", link.matches() ? link.group(1) : reportId);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
