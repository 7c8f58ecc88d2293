package dev.sutura.sdk;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Checks webhooks (Standard Webhooks 1.0.0) with a secret, or several while one takes the place of another. */
public final class WebhookVerifier {
    private static final long TOLERANCE_S = 300;
    private static final byte[] ED25519_HEAD = HexFormat.of().parseHex("302a300506032b6570032100");
    private static final int ED25519_BYTES = 32;
    private static final int SHORTEST_SECRET_BYTES = 24;
    private static final int LONGEST_SECRET_BYTES = 64;
    private final List<Scheme> schemes = new ArrayList<>();

    /** One way to sign, with one key. */
    private interface Scheme {
        boolean isSigned(String name, byte[] content, byte[] signature) throws GeneralSecurityException;
    }

    /**
     * For secrets as they were shown when the webhook was made.
     *
     * @param secrets {@code whsec_…}, or the public key {@code whpk_…} for the signature v1a
     */
    public WebhookVerifier(String... secrets) {
        if (secrets.length == 0) {
            throw unset();
        }
        for (String secret : secrets) {
            schemes.add(schemeOf(secret));
        }
    }

    /**
     * The event, once its signature is verified; null for an empty body.
     *
     * @param body as it came, before anything parsed it
     * @param headers of the request; names in any case
     */
    public WebhookEvent verify(byte[] body, Map<String, List<String>> headers) {
        return verify(body, headers, Instant.now());
    }

    WebhookEvent verify(byte[] body, Map<String, List<String>> headers, Instant now) {
        return verify(body, headerOf(headers, "webhook-id"), headerOf(headers, "webhook-timestamp"),
            headerOf(headers, "webhook-signature"), now);
    }

    /** The same with the three headers. */
    public WebhookEvent verify(byte[] body, String id, String timestamp, String signatures) {
        return verify(body, id, timestamp, signatures, Instant.now());
    }

    WebhookEvent verify(byte[] body, String id, String timestamp, String signatures, Instant now) {
        if (body == null) {
            throw new ConfigurationException("The raw body is needed: take it as byte[], before anything parses it.",
                Facts.NONE);
        }
        for (String value : new String[] {id, timestamp, signatures}) {
            if (value == null || value.isEmpty()) {
                throw refused("a header webhook-id, webhook-timestamp or webhook-signature is missing");
            }
        }
        if (id.contains(".") || !timestamp.matches("\\d{1,12}")) {
            throw refused("webhook-id or webhook-timestamp is no such thing");
        }
        if (Math.abs(now.getEpochSecond() - Long.parseLong(timestamp)) > TOLERANCE_S) {
            throw refused("it is more than 5 minutes old, or the clock of this machine is wrong");
        }
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.writeBytes((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        content.writeBytes(body);
        if (!isSigned(content.toByteArray(), signatures)) {
            throw refused("none of its signatures is made with the secret");
        }
        return body.length == 0 ? null : eventOf(body);
    }

    private boolean isSigned(byte[] content, String signatures) {
        boolean isFound = false;
        // All of them: the time does not tell which one was right.
        for (String one : signatures.split(" ")) {
            String[] parts = one.split(",", 2);
            for (Scheme scheme : schemes) {
                isFound |= parts.length == 2 && holds(scheme, parts[0], content, parts[1]);
            }
        }
        return isFound;
    }

    private static boolean holds(Scheme scheme, String name, byte[] content, String base64) {
        try {
            return scheme.isSigned(name, content, Base64.getDecoder().decode(base64));
        } catch (GeneralSecurityException | IllegalArgumentException fault) {
            return false;
        }
    }

    private static WebhookEvent eventOf(byte[] body) {
        JsonNode json = Json.read(body);
        if (json == null || !json.isObject()) {
            throw refused("its body is no JSON");
        }
        return new WebhookEvent(json.path("type").asText(null), json.path("timestamp").asText(null), json);
    }

    private static Scheme schemeOf(String secret) {
        if (secret == null || secret.isEmpty()) {
            throw unset();
        }
        byte[] key = keyOf(secret.strip());
        if (secret.startsWith("whsec_") && key.length >= SHORTEST_SECRET_BYTES && key.length <= LONGEST_SECRET_BYTES) {
            return hmac(key);
        }
        if (secret.startsWith("whpk_") && key.length == ED25519_BYTES) {
            return ed25519(key);
        }
        throw new ConfigurationException(
            "The secret of a webhook is whsec_… as it was shown once, or its public key whpk_….", Facts.NONE);
    }

    private static byte[] keyOf(String secret) {
        try {
            return Base64.getDecoder().decode(secret.substring(secret.indexOf('_') + 1));
        } catch (IllegalArgumentException fault) {
            return new byte[0];
        }
    }

    private static Scheme hmac(byte[] key) {
        return (name, content, signature) -> {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return name.equals("v1") && MessageDigest.isEqual(mac.doFinal(content), signature);
        };
    }

    private static Scheme ed25519(byte[] key) {
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        encoded.writeBytes(ED25519_HEAD);
        encoded.writeBytes(key);
        return (name, content, signature) -> {
            PublicKey publicKey =
                KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded.toByteArray()));
            Signature check = Signature.getInstance("Ed25519");
            check.initVerify(publicKey);
            check.update(content);
            return name.equals("v1a") && check.verify(signature);
        };
    }

    /** Twice the same header: not from the service. */
    private static String headerOf(Map<String, List<String>> headers, String name) {
        List<String> found = headers.entrySet().stream()
            .filter(one -> name.equalsIgnoreCase(one.getKey()))
            .flatMap(one -> one.getValue().stream())
            .toList();
        return found.size() == 1 ? found.get(0) : null;
    }

    private static ConfigurationException unset() {
        return new ConfigurationException("No webhook secret: give the whsec_… that was shown when the webhook was "
            + "made. Is the variable that holds it set?", Facts.NONE);
    }

    private static WebhookVerificationException refused(String why) {
        return new WebhookVerificationException("The webhook is refused: " + why + ".", Facts.NONE);
    }
}
