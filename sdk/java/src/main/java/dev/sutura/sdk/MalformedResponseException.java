package dev.sutura.sdk;

/** Not what the service promises: often a proxy, or a wrong base URL. */
public final class MalformedResponseException extends SuturaException {
    MalformedResponseException(String message, Facts facts) {
        super(message, facts);
    }
}
