package dev.sutura.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sutura.sdk.model.ReportReadyEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Signatures of webhooks, by the vectors that all libraries share. */
final class WebhookVerifierTest {
    private static final Path VECTORS = Path.of("..", "contract", "webhook-vectors.json");

    @TestFactory
    List<DynamicTest> vectors() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode own : Json.MAPPER.readTree(VECTORS.toFile()).get("vectors")) {
            tests.add(DynamicTest.dynamicTest(own.get("name").asText(), () -> holds(whole(own))));
        }
        return tests;
    }

    @Test
    void refusesABodyThatNothingRead() throws IOException {
        JsonNode good = Json.MAPPER.readTree(VECTORS.toFile()).get("default");
        WebhookVerifier verifier = new WebhookVerifier(secretsOf(good));
        assertThrows(ConfigurationException.class, () -> verifier.verify(null, headersOf(good)));
    }

    @Test
    void refusesAnOldOneByItsOwnClock() throws IOException {
        JsonNode good = Json.MAPPER.readTree(VECTORS.toFile()).get("default");
        WebhookVerifier verifier = new WebhookVerifier(secretsOf(good));
        Map<String, List<String>> headers = new TreeMap<>(headersOf(good));
        headers.put("webhook-timestamp", List.of("1"));
        assertThrows(WebhookVerificationException.class, () -> verifier.verify(bodyOf(good), headers));
    }

    @Test
    void givesTypedEventsAndPrintsNoContent() throws IOException {
        JsonNode good = Json.MAPPER.readTree(VECTORS.toFile()).get("default");
        WebhookEvent event = verified(good);
        assertEquals("größer", event.as(ReportReadyEvent.class).data().reportId());
        assertFalse(event.toString().contains("größer"));
    }

    private static JsonNode whole(JsonNode own) throws IOException {
        ObjectNode whole = Json.MAPPER.readTree(VECTORS.toFile()).get("default").deepCopy();
        own.properties().forEach(field -> whole.set(field.getKey(), field.getValue()));
        return whole;
    }

    private static void holds(JsonNode vector) {
        JsonNode outcome = vector.path("outcome");
        if (!outcome.has("throws")) {
            WebhookEvent event = verified(vector);
            JsonNode wanted = outcome.get("event");
            assertEquals(wanted, event == null ? Json.MAPPER.nullNode() : event.json());
            return;
        }
        SuturaException fault = assertThrows(SuturaException.class, () -> verified(vector));
        assertEquals(outcome.get("throws").asText().replaceFirst("Error$", "Exception"), fault.getClass().getSimpleName());
        for (String secret : secretsOf(vector)) {
            assertFalse(secret.length() > 6 && fault.getMessage().contains(secret.substring(6)), "the secret is shown");
        }
        assertNotNull(fault.getMessage());
    }

    private static WebhookEvent verified(JsonNode vector) {
        return new WebhookVerifier(secretsOf(vector))
            .verify(bodyOf(vector), headersOf(vector), Instant.parse(vector.get("now").asText()));
    }

    private static byte[] bodyOf(JsonNode vector) {
        return vector.get("body").asText().getBytes(StandardCharsets.UTF_8);
    }

    private static String[] secretsOf(JsonNode vector) {
        List<String> secrets = new ArrayList<>();
        vector.get("secrets").forEach(one -> secrets.add(one.asText()));
        return secrets.toArray(String[]::new);
    }

    private static Map<String, List<String>> headersOf(JsonNode vector) {
        Map<String, List<String>> headers = new TreeMap<>();
        vector.get("headers").properties().forEach(field -> {
            List<String> values = new ArrayList<>();
            field.getValue().forEach(one -> values.add(one.asText()));
            headers.put(field.getKey(), values);
        });
        return headers;
    }
}
