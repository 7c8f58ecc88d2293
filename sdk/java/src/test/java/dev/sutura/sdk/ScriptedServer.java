package dev.sutura.sdk;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

/** The server that plays the cases. */
final class ScriptedServer {
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    final String url;
    final String apiKey;
    final String signature;
    private final String otherUrl;

    ScriptedServer(JsonNode line) {
        url = line.get("url").asText();
        otherUrl = line.get("otherUrl").asText();
        apiKey = line.get("apiKey").asText();
        signature = line.get("signature").asText();
    }

    JsonNode fill(JsonNode value) throws Exception {
        String text = Json.MAPPER.writeValueAsString(value);
        for (Map.Entry<String, String> one : Map.of("{baseUrl}", url, "{otherUrl}", otherUrl, "{apiKey}", apiKey,
                "{signature}", signature).entrySet()) {
            text = text.replace(one.getKey(), one.getValue());
        }
        return Json.MAPPER.readTree(text);
    }

    void play(JsonNode one) throws Exception {
        ObjectNode exchanges = Json.MAPPER.createObjectNode();
        exchanges.set("exchanges", one.get("exchanges"));
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/__case"))
            .POST(BodyPublishers.ofByteArray(Json.MAPPER.writeValueAsBytes(exchanges))).build();
        http.send(request, BodyHandlers.discarding());
    }

    JsonNode mismatches() throws Exception {
        return Json.MAPPER.readTree(get("/__report")).get("mismatches");
    }

    byte[] sample(String name) throws Exception {
        return get("/__samples/" + name);
    }

    private byte[] get(String path) throws Exception {
        return http.send(HttpRequest.newBuilder(URI.create(url + path)).build(), BodyHandlers.ofByteArray()).body();
    }
}
