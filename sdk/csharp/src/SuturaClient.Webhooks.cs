// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Threading;
using System.Threading.Tasks;
using Sutura.Sdk.Models;

namespace Sutura.Sdk
{
    public sealed partial class SuturaClient
    {
        /// <summary>The webhooks of the organization</summary>
        public Task<WebhookList> ListWebhooksAsync(CancellationToken cancellationToken = default) =>
            calls.JsonAsync<WebhookList>(Call.Of("GET", "/api/v1/webhooks"), cancellationToken, "items");

        /// <summary>Have an address told of events</summary>
        public Task<WebhookWithSecret> CreateWebhookAsync(WebhookRequest request, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<WebhookWithSecret>(Call.Of("POST", "/api/v1/webhooks").Json(request).Once(), cancellationToken, "id", "secret");

        /// <summary>A webhook, and whether it is well</summary>
        public Task<Webhook> GetWebhookAsync(string webhookId, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<Webhook>(Call.Of("GET", $"/api/v1/webhooks/{Segment.Of("webhookId", webhookId)}"), cancellationToken, "id", "state");

        /// <summary>Change a webhook</summary>
        public Task<Webhook> ChangeWebhookAsync(string webhookId, WebhookChange request, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<Webhook>(Call.Of("PATCH", $"/api/v1/webhooks/{Segment.Of("webhookId", webhookId)}").Json(request), cancellationToken, "id", "state");

        /// <summary>Delete a webhook</summary>
        public Task DeleteWebhookAsync(string webhookId, CancellationToken cancellationToken = default) =>
            calls.NothingAsync(Call.Of("DELETE", $"/api/v1/webhooks/{Segment.Of("webhookId", webhookId)}").GoneIsDone(), cancellationToken);

        /// <summary>Give a webhook new keys</summary>
        public Task<WebhookWithSecret> RotateWebhookAsync(string webhookId, WebhookRotation? request = null, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<WebhookWithSecret>(Call.Of("POST", $"/api/v1/webhooks/{Segment.Of("webhookId", webhookId)}/rotate").Json(request).Once(), cancellationToken, "id", "secret");

        /// <summary>Send a test event now</summary>
        public Task<WebhookTrial> TestWebhookAsync(string webhookId, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<WebhookTrial>(Call.Of("POST", $"/api/v1/webhooks/{Segment.Of("webhookId", webhookId)}/test").Once(), cancellationToken, "delivered");

        /// <summary>Stop delivering for a while</summary>
        public Task<Webhook> PauseWebhookAsync(string webhookId, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<Webhook>(Call.Of("POST", $"/api/v1/webhooks/{Segment.Of("webhookId", webhookId)}/pause"), cancellationToken, "id", "state");

        /// <summary>Deliver again</summary>
        public Task<Webhook> ResumeWebhookAsync(string webhookId, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<Webhook>(Call.Of("POST", $"/api/v1/webhooks/{Segment.Of("webhookId", webhookId)}/resume"), cancellationToken, "id", "state");

        /// <summary>What was delivered, waits or is parked</summary>
        /// <param name="query">which ones; null: all</param>
        public Task<WebhookDeliveryList> ListWebhookDeliveriesAsync(string webhookId, ListWebhookDeliveriesQuery? query = null, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<WebhookDeliveryList>(Call.Of("GET", $"/api/v1/webhooks/{Segment.Of("webhookId", webhookId)}/deliveries").Query(query), cancellationToken, "items");

        /// <summary>What was delivered, waits or is parked: every item of all pages, read when needed.</summary>
        /// <param name="query">which ones; null: all</param>
        public Pages<WebhookDelivery> IterateWebhookDeliveries(string webhookId, ListWebhookDeliveriesQuery? query = null) =>
            Pages.Of((cursor, cancellationToken) => calls.JsonAsync<WebhookDeliveryList>(Call.Of("GET", $"/api/v1/webhooks/{Segment.Of("webhookId", webhookId)}/deliveries").Query(query, cursor), cancellationToken, "items"),
                page => page.Items, page => page.NextCursor);

        /// <summary>A delivery with its body and every attempt</summary>
        public Task<WebhookDeliveryDetail> GetWebhookDeliveryAsync(string webhookId, string deliveryId, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<WebhookDeliveryDetail>(Call.Of("GET", $"/api/v1/webhooks/{Segment.Of("webhookId", webhookId)}/deliveries/{Segment.Of("deliveryId", deliveryId)}"), cancellationToken, "id", "body");

        /// <summary>Send a delivery again</summary>
        public Task ReplayWebhookDeliveryAsync(string webhookId, string deliveryId, CancellationToken cancellationToken = default) =>
            calls.NothingAsync(Call.Of("POST", $"/api/v1/webhooks/{Segment.Of("webhookId", webhookId)}/deliveries/{Segment.Of("deliveryId", deliveryId)}/replay").Once(), cancellationToken);

        /// <summary>Let a delivery that waits step aside</summary>
        public Task ParkWebhookDeliveryAsync(string webhookId, string deliveryId, CancellationToken cancellationToken = default) =>
            calls.NothingAsync(Call.Of("POST", $"/api/v1/webhooks/{Segment.Of("webhookId", webhookId)}/deliveries/{Segment.Of("deliveryId", deliveryId)}/park"), cancellationToken);

        /// <summary>Give a parked delivery up for good</summary>
        public Task DiscardWebhookDeliveryAsync(string webhookId, string deliveryId, CancellationToken cancellationToken = default) =>
            calls.NothingAsync(Call.Of("POST", $"/api/v1/webhooks/{Segment.Of("webhookId", webhookId)}/deliveries/{Segment.Of("deliveryId", deliveryId)}/discard"), cancellationToken);

        /// <summary>Send the deliveries of a time again</summary>
        public Task<WebhookReplayed> ReplayWebhookAsync(string webhookId, WebhookReplay request, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<WebhookReplayed>(Call.Of("POST", $"/api/v1/webhooks/{Segment.Of("webhookId", webhookId)}/replay").Json(request).Once(), cancellationToken, "replayed");
    }
}
