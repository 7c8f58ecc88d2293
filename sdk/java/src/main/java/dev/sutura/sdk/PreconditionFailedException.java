package dev.sutura.sdk;

/** 412 {@code report.stale}: the report has changed since it was read. Read it again, and decide about what it says now. */
public final class PreconditionFailedException extends SuturaException {
    PreconditionFailedException(String message, Facts facts) {
        super(message, facts);
    }
}
