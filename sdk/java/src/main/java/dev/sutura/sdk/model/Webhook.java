// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

import java.util.List;

/**
 * An address that is told of events.
 *
 * @param types The types of events that are told; empty: all, those of later releases too. One of:
 * analysis.completed, analysis.failed, report.ready, report.amended, report.reviewed, wound.opened,
 * wound.closed, wound.attention, quota.threshold, endpoint.disabled, delivery.recovered.
 * @param content ids: ids of this service, codes and figures. full: the caller’s own ids, names and clinical
 * text as well. One of: ids, full.
 * @param signatures v1: HMAC-SHA256 with the secret. v1a: ed25519, checked with the public key. One of: v1, v1a.
 * @param state paused: by its owner; disabled: by the service. Deliveries are made and wait until it is resumed.
 * One of: active, paused, disabled.
 * @param disabledFor gone: answered 410; failing: five days of failures. One of: gone, failing.
 * @param failingSince The first failure since the last delivery.
 * @param publicKey Of v1a, as whpk_ and base64.
 * @param previousKeysUntil The keys before the last rotation sign until then.
 */
public record Webhook(
    String id,
    String url,
    List<String> types,
    String content,
    List<String> signatures,
    String state,
    String disabledAt,
    String disabledFor,
    String failingSince,
    String publicKey,
    String previousKeysUntil,
    String createdAt
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "Webhook[id=" + id + "]";
    }
}
