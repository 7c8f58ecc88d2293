package dev.sutura.sdk;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** One case against this client. */
final class CaseRun implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Connection.LOG_NAME);
    private final ScriptedServer server;
    private final JsonNode one;
    private final Path folder;
    private final Path box;
    private final RecordingTime time = new RecordingTime();
    private final List<String> lines = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    CaseRun(ScriptedServer server, JsonNode given) throws Exception {
        this.server = server;
        this.one = server.fill(given);
        server.play(given);
        folder = Files.createTempDirectory("sutura-contract-");
        box = Files.createDirectory(folder.resolve("box"));
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    List<String> faults() throws Exception {
        Handler handler = listener();
        LOG.setUseParentHandlers(false);
        LOG.setLevel(Level.ALL);
        LOG.addHandler(handler);
        SuturaClient client = client();
        CaseCall call = new CaseCall(client, server, box, one.get("call"));
        Object value = null;
        Exception error = null;
        try {
            time.begin();
            value = call.perform();
        } catch (Exception fault) {
            error = fault;
        } finally {
            LOG.removeHandler(handler);
        }
        server.mismatches().forEach(mismatch -> faults.add(mismatch.asText()));
        compareOutcome(value, error);
        compareWaits();
        compareProgress(call);
        compareFiles();
        lines.add(client.toString());
        compareSecrets(error);
        if (lines.size() == 1 && !one.get("exchanges").isEmpty()) {
            faults.add("it logged nothing");
        }
        return faults;
    }

    private Handler listener() {
        return new Handler() {
            @Override
            public void publish(LogRecord record) {
                lines.add(record.getMessage());
            }

            @Override
            public void flush() {
            }

            @Override
            public void close() {
            }
        };
    }

    private SuturaClient client() {
        JsonNode options = one.path("client");
        SuturaClient.Builder builder = SuturaClient.builder().time(time)
            .apiKey(options.path("apiKey").asText(server.apiKey)).baseUrl(options.path("baseUrl").asText(server.url));
        if (options.has("maxRetries")) {
            builder.maxRetries(options.get("maxRetries").asInt());
        }
        if (options.has("timeoutMs")) {
            builder.timeout(Duration.ofMillis(options.get("timeoutMs").asLong()));
        }
        if (options.has("maxRetryAfterMs")) {
            builder.maxRetryAfter(Duration.ofMillis(options.get("maxRetryAfterMs").asLong()));
        }
        return builder.build();
    }

    private void compareOutcome(Object value, Exception error) throws Exception {
        JsonNode outcome = one.get("outcome");
        if (outcome.has("throws")) {
            compareError(outcome.get("throws"), value, error);
        } else if (error != null) {
            faults.add("it threw " + printed(error));
        } else if (outcome.has("returnsSample")) {
            byte[] wanted = server.sample(outcome.get("returnsSample").asText());
            if (!(value instanceof byte[] bytes) || !Arrays.equals(bytes, wanted)) {
                faults.add("it did not return the bytes of the sample");
            }
        } else {
            lacks(Forms.ofValue(value, outcome.get("returns")), outcome.get("returns"), "returned");
        }
    }

    private void compareError(JsonNode wanted, Object value, Exception error) {
        if (error == null) {
            faults.add("it returned " + value);
            return;
        }
        ObjectNode facts = wanted.deepCopy();
        String type = facts.remove("type").asText().replaceFirst("Error$", "Exception");
        if (!error.getClass().getSimpleName().equals(type)) {
            faults.add("it threw " + printed(error) + ", not " + type);
        }
        JsonNode contains = facts.remove("messageContains");
        JsonNode lacks = facts.remove("messageLacks");
        if (contains != null && !error.getMessage().contains(contains.asText())) {
            faults.add("the message is " + error.getMessage());
        }
        if (lacks != null && error.getMessage().contains(lacks.asText())) {
            faults.add("the message has " + lacks.asText());
        }
        lacks(Forms.ofError(error), facts, "error");
    }

    /** What keeps {@code actual} from having at least what {@code wanted} has. */
    private void lacks(JsonNode actual, JsonNode wanted, String at) {
        if (wanted == null || wanted.isNull()) {
            if (actual != null && !actual.isNull()) {
                faults.add(at + " is " + actual + ", not null");
            }
        } else if (actual == null) {
            faults.add(at + " is absent, not " + wanted);
        } else if (wanted.isObject()) {
            wanted.properties().forEach(field -> lacks(actual.get(field.getKey()), field.getValue(), at + "." + field.getKey()));
        } else if (wanted.isArray()) {
            if (!actual.isArray() || actual.size() != wanted.size()) {
                faults.add(at + " is " + actual + ", not a list of " + wanted.size());
                return;
            }
            for (int index = 0; index < wanted.size(); index += 1) {
                lacks(actual.get(index), wanted.get(index), at + "[" + index + "]");
            }
        } else if (wanted.isNumber() && actual.isNumber() ? wanted.asDouble() != actual.asDouble() : !wanted.equals(actual)) {
            faults.add(at + " is " + actual + ", not " + wanted);
        }
    }

    private void compareWaits() {
        if (!one.has("waits")) {
            return;
        }
        JsonNode wanted = one.get("waits");
        if (wanted.size() != time.pausesMs.size()) {
            faults.add("it paused " + time.pausesMs + ", not " + wanted.size() + " times");
            return;
        }
        for (int index = 0; index < wanted.size(); index += 1) {
            long ms = time.pausesMs.get(index);
            if (ms < wanted.get(index).get("atLeastMs").asLong() || ms > wanted.get(index).get("atMostMs").asLong()) {
                faults.add("pause " + index + " is " + ms + " ms, not " + wanted.get(index));
            }
        }
    }

    private void compareProgress(CaseCall call) {
        JsonNode wanted = one.path("progress");
        if (wanted.has("lastUpload")) {
            lacks(Json.MAPPER.createObjectNode().put("sentBytes", call.sentBytes).put("totalBytes", call.totalBytes),
                wanted.get("lastUpload"), "progress");
        }
        if (wanted.has("jobStatuses")) {
            lacks(Json.MAPPER.valueToTree(call.states), wanted.get("jobStatuses"), "states");
        }
    }

    private void compareFiles() throws Exception {
        if (!one.has("files")) {
            return;
        }
        TreeSet<String> names = new TreeSet<>();
        one.get("files").fieldNames().forEachRemaining(names::add);
        TreeSet<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.list(box)) {
            files.forEach(file -> found.add(file.getFileName().toString()));
        }
        if (!names.equals(found)) {
            faults.add("the files are " + found + ", not " + names);
            return;
        }
        for (String name : names) {
            byte[] wanted = server.sample(one.get("files").get(name).asText());
            if (!Arrays.equals(Files.readAllBytes(box.resolve(name)), wanted)) {
                faults.add(name + " is not the sample");
            }
        }
    }

    private static String printed(Throwable error) {
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }

    private void compareSecrets(Exception error) {
        String all = String.join("\n", lines) + (error == null ? "" : printed(error));
        if (all.contains(server.apiKey)) {
            faults.add("the key is shown");
        }
        if (all.contains(server.signature)) {
            faults.add("a signature is shown");
        }
    }
}
