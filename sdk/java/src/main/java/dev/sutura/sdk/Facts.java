package dev.sutura.sdk;

import java.time.Duration;
import java.util.List;

/** What is known of a failure besides its message. */
record Facts(
    Integer status,
    String code,
    String requestId,
    List<FieldProblem> errors,
    Duration retryAfter,
    String heldId
) {
    static final Facts NONE = new Facts(null, null, null, List.of(), null, null);

    static Facts ofCode(String code) {
        return new Facts(null, code, null, List.of(), null, null);
    }
}
