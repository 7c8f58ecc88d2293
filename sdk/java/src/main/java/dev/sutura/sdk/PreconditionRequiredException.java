package dev.sutura.sdk;

/** 428: {@code If-Match} did not arrive. This library sends it; a proxy may have taken it away. */
public final class PreconditionRequiredException extends SuturaException {
    PreconditionRequiredException(String message, Facts facts) {
        super(message, facts);
    }
}
