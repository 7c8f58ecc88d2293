package dev.sutura.sdk;

/** Options of the client, or what was given to {@link WebhookVerifier}, cannot work. */
public final class ConfigurationException extends SuturaException {
    ConfigurationException(String message, Facts facts) {
        super(message, facts);
    }
}
