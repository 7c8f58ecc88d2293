package dev.sutura.sdk;

/** No answer, or one that broke off. {@code code} is {@code ECONNREFUSED}, {@code ENOTFOUND} or {@code ECONNRESET} where it is known. */
public final class NetworkException extends SuturaException {
    NetworkException(String message, Facts facts) {
        super(message, facts);
    }
}
