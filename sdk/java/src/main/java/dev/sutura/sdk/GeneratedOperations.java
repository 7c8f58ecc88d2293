// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk;

import dev.sutura.sdk.model.Webhook;
import dev.sutura.sdk.model.WebhookChange;
import dev.sutura.sdk.model.WebhookDelivery;
import dev.sutura.sdk.model.WebhookDeliveryDetail;
import dev.sutura.sdk.model.WebhookDeliveryList;
import dev.sutura.sdk.model.WebhookList;
import dev.sutura.sdk.model.WebhookReplay;
import dev.sutura.sdk.model.WebhookReplayed;
import dev.sutura.sdk.model.WebhookRequest;
import dev.sutura.sdk.model.WebhookRotation;
import dev.sutura.sdk.model.WebhookTrial;
import dev.sutura.sdk.model.WebhookWithSecret;

/** Operations on webhooks. */
abstract class GeneratedOperations extends UsageOperations {
    GeneratedOperations(Calls calls) {
        super(calls);
    }

    /** The webhooks of the organization */
    public WebhookList listWebhooks() {
        return calls.json(Call.of("GET", "/api/v1/webhooks"), WebhookList.class, "items");
    }

    /** Have an address told of events */
    public WebhookWithSecret createWebhook(WebhookRequest request) {
        return calls.json(Call.of("POST", "/api/v1/webhooks").json(request).once(), WebhookWithSecret.class, "id", "secret");
    }

    /** A webhook, and whether it is well */
    public Webhook getWebhook(String webhookId) {
        return calls.json(Call.of("GET", "/api/v1/webhooks/" + Segment.of("webhookId", webhookId)), Webhook.class, "id", "state");
    }

    /** Change a webhook */
    public Webhook changeWebhook(String webhookId, WebhookChange request) {
        return calls.json(Call.of("PATCH", "/api/v1/webhooks/" + Segment.of("webhookId", webhookId)).json(request), Webhook.class, "id", "state");
    }

    /** Delete a webhook */
    public void deleteWebhook(String webhookId) {
        calls.nothing(Call.of("DELETE", "/api/v1/webhooks/" + Segment.of("webhookId", webhookId)).goneIsDone());
    }

    /**
     * Give a webhook new keys
     *
     * @param request may be null
     */
    public WebhookWithSecret rotateWebhook(String webhookId, WebhookRotation request) {
        return calls.json(Call.of("POST", "/api/v1/webhooks/" + Segment.of("webhookId", webhookId) + "/rotate").json(request).once(), WebhookWithSecret.class, "id", "secret");
    }

    /** Give a webhook new keys */
    public WebhookWithSecret rotateWebhook(String webhookId) {
        return rotateWebhook(webhookId, null);
    }

    /** Send a test event now */
    public WebhookTrial testWebhook(String webhookId) {
        return calls.json(Call.of("POST", "/api/v1/webhooks/" + Segment.of("webhookId", webhookId) + "/test").once(), WebhookTrial.class, "delivered");
    }

    /** Stop delivering for a while */
    public Webhook pauseWebhook(String webhookId) {
        return calls.json(Call.of("POST", "/api/v1/webhooks/" + Segment.of("webhookId", webhookId) + "/pause"), Webhook.class, "id", "state");
    }

    /** Deliver again */
    public Webhook resumeWebhook(String webhookId) {
        return calls.json(Call.of("POST", "/api/v1/webhooks/" + Segment.of("webhookId", webhookId) + "/resume"), Webhook.class, "id", "state");
    }

    /**
     * What was delivered, waits or is parked
     *
     * @param query which ones; null: all
     */
    public WebhookDeliveryList listWebhookDeliveries(String webhookId, ListWebhookDeliveriesQuery query) {
        return calls.json(Call.of("GET", "/api/v1/webhooks/" + Segment.of("webhookId", webhookId) + "/deliveries").query(query), WebhookDeliveryList.class, "items");
    }

    /** What was delivered, waits or is parked */
    public WebhookDeliveryList listWebhookDeliveries(String webhookId) {
        return listWebhookDeliveries(webhookId, null);
    }

    /**
     * What was delivered, waits or is parked: every item of all pages, read when needed.
     *
     * @param query which ones; null: all
     */
    public Pages<WebhookDelivery> iterateWebhookDeliveries(String webhookId, ListWebhookDeliveriesQuery query) {
        return new Pages<>(cursor -> listWebhookDeliveries(webhookId, Query.after(query, ListWebhookDeliveriesQuery::new, cursor)), WebhookDeliveryList::items, WebhookDeliveryList::nextCursor);
    }

    /** A delivery with its body and every attempt */
    public WebhookDeliveryDetail getWebhookDelivery(String webhookId, String deliveryId) {
        return calls.json(Call.of("GET", "/api/v1/webhooks/" + Segment.of("webhookId", webhookId) + "/deliveries/" + Segment.of("deliveryId", deliveryId)), WebhookDeliveryDetail.class, "id", "body");
    }

    /** Send a delivery again */
    public void replayWebhookDelivery(String webhookId, String deliveryId) {
        calls.nothing(Call.of("POST", "/api/v1/webhooks/" + Segment.of("webhookId", webhookId) + "/deliveries/" + Segment.of("deliveryId", deliveryId) + "/replay").once());
    }

    /** Let a delivery that waits step aside */
    public void parkWebhookDelivery(String webhookId, String deliveryId) {
        calls.nothing(Call.of("POST", "/api/v1/webhooks/" + Segment.of("webhookId", webhookId) + "/deliveries/" + Segment.of("deliveryId", deliveryId) + "/park"));
    }

    /** Give a parked delivery up for good */
    public void discardWebhookDelivery(String webhookId, String deliveryId) {
        calls.nothing(Call.of("POST", "/api/v1/webhooks/" + Segment.of("webhookId", webhookId) + "/deliveries/" + Segment.of("deliveryId", deliveryId) + "/discard"));
    }

    /** Send the deliveries of a time again */
    public WebhookReplayed replayWebhook(String webhookId, WebhookReplay request) {
        return calls.json(Call.of("POST", "/api/v1/webhooks/" + Segment.of("webhookId", webhookId) + "/replay").json(request).once(), WebhookReplayed.class, "replayed");
    }
}
