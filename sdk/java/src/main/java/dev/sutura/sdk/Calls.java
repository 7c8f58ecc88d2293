package dev.sutura.sdk;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.function.Function;

/** Sends until it succeeds or may not be repeated, and makes of the answer what a caller gets. */
final class Calls {
    final Connection connection;
    final Settings settings;

    Calls(Connection connection) {
        this.connection = connection;
        this.settings = connection.settings;
    }

    <T> T send(Call call, Function<Answer, T> read) {
        for (int failures = 0;; failures += 1) {
            try {
                call.onAttempt.accept(failures);
                return read.apply(connection.sendOnce(call, failures));
            } catch (SuturaException fault) {
                if (failures > 0 && call.isGoneDone && fault instanceof NotFoundException) {
                    return null;
                }
                Duration pause = Retries.pauseBefore(fault, failures, call, settings);
                if (pause == null) {
                    throw fault;
                }
                settings.time().pause(pause);
            }
        }
    }

    /** {@code needed}: the fields without which an answer is not one of Sutura's. */
    <T> T json(Call call, Class<T> type, String... needed) {
        return send(call, answer -> read(answer, type, needed));
    }

    <T> T read(Answer answer, Class<T> type, String... needed) {
        JsonNode value = Json.read(answer.body());
        T typed = hasAll(value, needed) ? Json.to(value, type) : null;
        if (typed == null) {
            throw connection.malformed(answer);
        }
        return typed;
    }

    private static boolean hasAll(JsonNode value, String... needed) {
        if (value == null || !value.isObject()) {
            return false;
        }
        for (String name : needed) {
            if (!isWhole(name, value.get(name))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isWhole(String name, JsonNode field) {
        if (field == null || field.isNull()) {
            return false;
        }
        return switch (name) {
            case "items", "assessments" -> field.isArray();
            case "uploadUrl", "url" -> Settings.webAddress(field.asText()) != null;
            case "id", "status", "imageId" -> field.isTextual();
            default -> true;
        };
    }

    void nothing(Call call) {
        send(call, answer -> null);
    }

    byte[] bytes(Call call, String mediaType) {
        call.isLong = true;
        call.header("accept", mediaType);
        return send(call, answer -> ofType(answer, mediaType).body());
    }

    /** A page of a proxy is no picture. */
    Answer ofType(Answer answer, String mediaType) {
        if (!answer.hasType(mediaType)) {
            throw connection.malformed(answer);
        }
        return answer;
    }
}
