package dev.sutura.sdk;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/** JSON as the contract has it. */
final class Json {
    /** Fields of later releases are passed over, and what was not set is not sent. */
    static final ObjectMapper MAPPER = JsonMapper.builder()
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        // A fraction where a whole number was promised is no answer, and not its whole part.
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .serializationInclusion(JsonInclude.Include.NON_NULL)
        .build();

    private Json() {
    }

    /** Null for what is no JSON. */
    static JsonNode read(byte[] bytes) {
        try {
            JsonNode value = MAPPER.readTree(bytes);
            return value == null || value.isMissingNode() ? null : value;
        } catch (IOException fault) {
            return null;
        }
    }

    /** Null for what does not have the form of the type; the fault is not kept, since it shows content. */
    static <T> T to(JsonNode value, Class<T> type) {
        try {
            return MAPPER.treeToValue(value, type);
        } catch (JsonProcessingException fault) {
            return null;
        }
    }

    static byte[] write(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException fault) {
            throw new IllegalArgumentException("The request cannot be written as JSON.");
        }
    }
}
