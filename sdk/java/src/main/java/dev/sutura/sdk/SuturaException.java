package dev.sutura.sdk;

import java.time.Duration;
import java.util.List;

/**
 * Every failure that this library names. The message says what happened and what to do; it never holds the key or a
 * signed address.
 */
public class SuturaException extends RuntimeException {
    private final transient Facts facts;

    SuturaException(String message, Facts facts) {
        super(message);
        this.facts = facts;
    }

    /** HTTP status; null where the service did not answer. */
    public Integer status() {
        return facts.status();
    }

    /** Stable code, for example {@link dev.sutura.sdk.model.ErrorCode#QUOTA_EXCEEDED}: switch on this. May be null. */
    public String code() {
        return facts.code();
    }

    /** Tell it to support. May be null. */
    public String requestId() {
        return facts.requestId();
    }

    /** The fields that are wrong, with the code {@code request.invalid}. */
    public List<FieldProblem> errors() {
        return facts.errors();
    }

    /** When a repeat is worth while, if the service said so; else null. */
    public Duration retryAfter() {
        return facts.retryAfter();
    }

    /**
     * What waits for a person because of the request, by its id in {@code GET /api/v1/held}: repeat the request, with
     * the same Idempotency-Key, once somebody has decided. May be null.
     */
    public String heldId() {
        return facts.heldId();
    }
}
