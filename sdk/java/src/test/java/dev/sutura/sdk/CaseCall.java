package dev.sutura.sdk;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sutura.sdk.model.AnalysisJob;
import dev.sutura.sdk.model.AnalysisJobRequest;
import dev.sutura.sdk.model.ReviewRequest;
import dev.sutura.sdk.model.UploadTicket;
import java.io.ByteArrayInputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The operation of a case with its arguments. */
final class CaseCall {
    private static final List<String> OF_WAITS = List.of("timeoutMs", "intervalMs", "longPoll", "throwOnError");
    private final SuturaClient client;
    private final ScriptedServer server;
    private final Path folder;
    private final String operation;
    private final ObjectNode given;
    final List<String> states = new ArrayList<>();
    long sentBytes;
    long totalBytes;

    CaseCall(SuturaClient client, ScriptedServer server, Path folder, JsonNode call) {
        this.client = client;
        this.server = server;
        this.folder = folder;
        this.operation = call.get("operation").asText();
        this.given = call.has("arguments") ? call.get("arguments").deepCopy() : Json.MAPPER.createObjectNode();
    }

    Object perform() throws Exception {
        return switch (operation) {
            case "analyzeImage", "analyzeImageAndWait" -> analyze();
            case "uploadFileToSignedUrl" -> upload();
            case "waitForJob" -> client.waitForJob(text("jobId"), waitOptions());
            case "reviewReport" -> review();
            case "downloadArtifact" -> client.downloadArtifact(text("jobId"), text("artifact"), path());
            case "downloadReport" -> client.downloadReport(text("reportId"), format(), documentOptions());
            case "saveReport" -> client.saveReport(text("reportId"), path(), format(), documentOptions());
            case "downloadWoundReport" -> client.downloadWoundReport(text("woundId"), format(), documentOptions());
            case "downloadWoundEvidence" -> client.downloadWoundEvidence(text("woundId"), format(), documentOptions());
            case "request" -> client.request(rawRequest());
            default -> byName();
        };
    }

    private String text(String name) {
        JsonNode value = given.remove(name);
        return value == null || value.isNull() ? null : value.asText();
    }

    private Path path() {
        return folder.resolve(given.remove("path").get("temporary").asText());
    }

    private AnalysisJob analyze() throws Exception {
        WaitOptions options = waitOptions();
        String key = text("idempotencyKey");
        try (Photo photo = photo(given.remove("file"))) {
            AnalysisJobRequest request = Json.MAPPER.treeToValue(given, AnalysisJobRequest.class);
            return operation.equals("analyzeImage") ? client.analyzeImage(photo, request, key, this::sent)
                : client.analyzeImageAndWait(photo, request, key, this::sent, options);
        }
    }

    private void sent(long sent, long total) {
        sentBytes = sent;
        totalBytes = total;
    }

    private Photo photo(JsonNode file) throws Exception {
        byte[] bytes = server.sample(file.get("sample").asText());
        return switch (file.get("as").asText()) {
            case "bytes" -> Photo.of(bytes);
            case "path" -> Photo.of(Files.write(folder.resolve("../" + file.get("sample").asText() + ".photo"), bytes));
            default -> Photo.of(new ByteArrayInputStream(bytes));
        };
    }

    private UploadReceipt upload() throws Exception {
        try (Photo photo = photo(given.remove("file"))) {
            if (given.has("ticket")) {
                return client.uploadFileToSignedUrl(
                    Json.MAPPER.treeToValue(given.get("ticket"), UploadTicket.class), photo);
            }
            Map<?, ?> headers = Json.MAPPER.convertValue(given.get("headers"), Map.class);
            Map<String, String> texts = new java.util.LinkedHashMap<>();
            if (headers != null) {
                headers.forEach((name, value) -> texts.put(String.valueOf(name), String.valueOf(value)));
            }
            Long most = given.has("maxBytes") ? given.get("maxBytes").asLong() : null;
            return client.uploadFileToSignedUrl(text("uploadUrl"), texts, most, photo, this::sent);
        }
    }

    private WaitOptions waitOptions() {
        WaitOptions options = new WaitOptions().onState(job -> states.add(job.status()));
        if (given.has("timeoutMs")) {
            options.timeout(Duration.ofMillis(given.get("timeoutMs").asLong()));
        }
        if (given.has("intervalMs")) {
            options.interval(Duration.ofMillis(given.get("intervalMs").asLong()));
        }
        options.longPoll(given.path("longPoll").asBoolean(true)).throwOnError(given.path("throwOnError").asBoolean(true));
        given.remove(OF_WAITS);
        return options;
    }

    private TaggedReport review() throws Exception {
        JsonNode report = given.get("report");
        ReviewRequest review = Json.MAPPER.treeToValue(given.get("review"), ReviewRequest.class);
        return client.reviewReport(report.get("id").asText(), report.get("etag").asText(), review, text("idempotencyKey"));
    }

    private DocumentFormat format() {
        return DocumentFormat.valueOf(text("format").toUpperCase(Locale.ROOT));
    }

    private DocumentOptions documentOptions() {
        DocumentOptions options = new DocumentOptions().language(text("language")).paper(text("paper"))
            .from(text("from")).to(text("to"));
        return given.has("version") ? options.version(given.get("version").asLong()) : options;
    }

    private RawRequest rawRequest() {
        RawRequest request = RawRequest.of(text("method"), text("path")).idempotencyKey(text("idempotencyKey"));
        given.path("query").properties().forEach(
            one -> request.query(one.getKey(), one.getValue().isNull() ? null : one.getValue().asText()));
        given.path("headers").properties().forEach(one -> request.header(one.getKey(), one.getValue().asText()));
        return given.has("json") ? request.json(given.get("json")) : request;
    }

    /** The method with most parameters, each filled by its name. */
    private Object byName() throws Exception {
        // Those of its own classes: what javac adds for callers of other packages has no names of parameters.
        List<Method> methods = new ArrayList<>();
        for (Class<?> type = SuturaClient.class; type != Object.class; type = type.getSuperclass()) {
            methods.addAll(Arrays.asList(type.getDeclaredMethods()));
        }
        Method method = methods.stream().filter(one -> one.getName().equals(operation) && !one.isBridge())
            .max(Comparator.comparingInt(Method::getParameterCount))
            .orElseThrow(() -> new IllegalStateException("there is no operation " + operation));
        List<Object> words = new ArrayList<>();
        for (Parameter parameter : method.getParameters()) {
            if (parameter.getType() == String.class) {
                words.add(text(parameter.getName()));
            } else {
                words.add(null);
            }
        }
        for (int index = 0; index < words.size(); index += 1) {
            Class<?> type = method.getParameterTypes()[index];
            if (type != String.class) {
                words.set(index, Query.class.isAssignableFrom(type) ? query(type) : Json.MAPPER.treeToValue(given, type));
            }
        }
        try {
            Object value = method.invoke(client, words.toArray());
            return value instanceof Pages<?> pages ? pages.stream().toList() : value;
        } catch (InvocationTargetException fault) {
            throw fault.getCause() instanceof Exception own ? own : fault;
        }
    }

    private Query query(Class<?> type) throws Exception {
        Query query = (Query) type.getDeclaredConstructor().newInstance();
        given.properties().forEach(one -> {
            if (one.getValue().isObject()) {
                one.getValue().properties().forEach(pair -> query.put(one.getKey() + "." + pair.getKey(), pair.getValue().asText()));
            } else {
                query.put(one.getKey(), one.getValue().asText());
            }
        });
        return query;
    }
}
