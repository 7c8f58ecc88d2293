package dev.sutura.sdk;

/** 401: no key, or an unknown, revoked or expired one. */
public final class AuthenticationException extends SuturaException {
    AuthenticationException(String message, Facts facts) {
        super(message, facts);
    }
}
