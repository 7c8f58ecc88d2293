package dev.sutura.sdk;

/** 403: the key lacks a scope, or an upload address was changed. */
public final class ScopeException extends SuturaException {
    ScopeException(String message, Facts facts) {
        super(message, facts);
    }
}
