package dev.sutura.sdk;

/** A webhook that was not signed with the secret, or more than five minutes ago: answer 400 and do nothing with it. */
public final class WebhookVerificationException extends SuturaException {
    WebhookVerificationException(String message, Facts facts) {
        super(message, facts);
    }
}
