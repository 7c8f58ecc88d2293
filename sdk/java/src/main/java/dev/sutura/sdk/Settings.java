package dev.sutura.sdk;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;

/** The options of a client but the key, checked and complete. {@code baseUrl} has no slash at its end. */
record Settings(
    URI baseUrl,
    Duration timeout,
    int maxRetries,
    Duration maxRetryAfter,
    HttpClient http,
    Time time
) {
    /** Null for what is no address of the web. */
    static URI webAddress(String text) {
        try {
            URI address = URI.create(text);
            boolean isWeb = "http".equalsIgnoreCase(address.getScheme()) || "https".equalsIgnoreCase(address.getScheme());
            return isWeb && address.getHost() != null ? address : null;
        } catch (IllegalArgumentException | NullPointerException fault) {
            return null;
        }
    }

    static String originOf(URI address) {
        String port = address.getPort() == -1 ? "" : ":" + address.getPort();
        return address.getScheme() + "://" + address.getHost() + port;
    }

    boolean isOwnOrigin(URI address) {
        return originOf(address).equalsIgnoreCase(originOf(baseUrl));
    }
}
