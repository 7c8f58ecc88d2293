package dev.sutura.sdk;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** Exceptions of answers that refuse. */
final class Problems {
    private static final Map<Integer, BiFunction<String, Facts, SuturaException>> BY_STATUS = Map.ofEntries(
        Map.entry(400, BadRequestException::new),
        Map.entry(401, AuthenticationException::new),
        Map.entry(403, ScopeException::new),
        Map.entry(404, NotFoundException::new),
        Map.entry(408, RequestTimeoutException::new),
        Map.entry(409, ConflictException::new),
        Map.entry(410, GoneException::new),
        Map.entry(412, PreconditionFailedException::new),
        Map.entry(413, PayloadTooLargeException::new),
        Map.entry(415, UnsupportedMediaTypeException::new),
        Map.entry(422, UnprocessableException::new),
        Map.entry(428, PreconditionRequiredException::new),
        Map.entry(429, RateLimitException::new));

    private Problems() {
    }

    /** What an answer says of itself outside its body. */
    static Facts factsOf(int status, HttpHeaders headers, Instant now) {
        Duration retryAfter = headers.firstValue("retry-after").map(text -> readRetryAfter(text, now)).orElse(null);
        return new Facts(status, null, headers.firstValue("x-request-id").orElse(null), List.of(), retryAfter, null);
    }

    /** {@code Retry-After} in its two forms (RFC 9110 10.2.3); null where it is neither. */
    private static Duration readRetryAfter(String text, Instant now) {
        String value = text.strip();
        if (value.matches("\\d{1,9}")) {
            return Duration.ofSeconds(Long.parseLong(value));
        }
        try {
            Instant at = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
            return at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO;
        } catch (DateTimeException fault) {
            return null;
        }
    }

    /** A body that is no problem description (a page of a proxy) is not shown. */
    static SuturaException of(Answer answer, Instant now) {
        JsonNode problem = Json.read(answer.body());
        Facts outside = factsOf(answer.status(), answer.headers(), now);
        String id = textOf(problem, "requestId");
        Facts facts = new Facts(answer.status(), textOf(problem, "code"), id == null ? outside.requestId() : id,
            fieldsOf(problem), outside.retryAfter(), textOf(problem, "heldId"));
        if (answer.status() >= 300 && answer.status() < 400) {
            return new MalformedResponseException("The service answered " + answer.status()
                + ", a redirect, which was not followed. Set the base URL to where it leads.", facts);
        }
        String said = textOf(problem, "detail") == null ? textOf(problem, "title") : textOf(problem, "detail");
        String sentence = said == null
            ? "The answer is " + answer.status() + " without a description. Does the base URL lead to Sutura?" : said;
        return typeOf(facts).apply(sentence + describe(facts.errors(), sentence) + " (" + describe(facts) + ")", facts);
    }

    private static BiFunction<String, Facts, SuturaException> typeOf(Facts facts) {
        if ("quota.exceeded".equals(facts.code())) {
            return QuotaExceededException::new;
        }
        BiFunction<String, Facts, SuturaException> known = BY_STATUS.get(facts.status());
        if (known != null) {
            return known;
        }
        return facts.status() >= 500 ? ServerException::new : SuturaException::new;
    }

    private static String textOf(JsonNode problem, String name) {
        JsonNode value = problem == null ? null : problem.get(name);
        return value == null || !value.isTextual() || value.textValue().isEmpty() ? null : value.textValue();
    }

    private static List<FieldProblem> fieldsOf(JsonNode problem) {
        List<FieldProblem> fields = new ArrayList<>();
        if (problem != null && problem.path("errors").isArray()) {
            for (JsonNode field : problem.get("errors")) {
                if (textOf(field, "pointer") != null && textOf(field, "detail") != null) {
                    fields.add(new FieldProblem(textOf(field, "pointer"), textOf(field, "detail")));
                }
            }
        }
        return List.copyOf(fields);
    }

    /** Without those that say what was said. */
    private static String describe(List<FieldProblem> fields, String said) {
        return fields.stream()
            .filter(field -> !field.detail().equals(said))
            .map(field -> " " + field.pointer() + ": " + field.detail().replaceAll("[.]$", "") + ".")
            .collect(Collectors.joining());
    }

    private static String describe(Facts facts) {
        return facts.status() + (facts.code() == null ? "" : " " + facts.code())
            + (facts.heldId() == null ? "" : ", held as " + facts.heldId())
            + (facts.requestId() == null ? "" : ", request " + facts.requestId());
    }
}
