// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/** Changes of a webhook; what is not named stays. */
public final class WebhookChange {
    @JsonProperty("url")
    private String url;
    @JsonProperty("types")
    private List<String> types;
    @JsonProperty("content")
    private String content;
    @JsonProperty("signatures")
    private List<String> signatures;

    /** https; http only within a network that the operator opened for deliveries. */
    public WebhookChange url(String url) {
        this.url = url;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String url() {
        return url;
    }

    /**
     * The types of events that are told; empty: all, those of later releases too. One of: analysis.completed,
     * analysis.failed, report.ready, report.amended, report.reviewed, wound.opened, wound.closed, wound.attention,
     * quota.threshold, endpoint.disabled, delivery.recovered.
     */
    public WebhookChange types(List<String> types) {
        this.types = types;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public List<String> types() {
        return types;
    }

    /**
     * ids: ids of this service, codes and figures. full: the caller’s own ids, names and clinical text as well. One
     * of: ids, full.
     */
    public WebhookChange content(String content) {
        this.content = content;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public String content() {
        return content;
    }

    /** v1: HMAC-SHA256 with the secret. v1a: ed25519, checked with the public key. One of: v1, v1a. */
    public WebhookChange signatures(List<String> signatures) {
        this.signatures = signatures;
        return this;
    }

    /** As it was set or came; null where it was not. */
    public List<String> signatures() {
        return signatures;
    }

    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "WebhookChange";
    }
}
