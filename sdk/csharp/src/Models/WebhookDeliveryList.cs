// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Deliveries, newest first.</summary>
    public sealed class WebhookDeliveryList
    {
        /// <summary>The same as items, by the name that they had first.</summary>
        [JsonPropertyName("deliveries")]
        public IReadOnlyList<WebhookDelivery> Deliveries { get; set; } = null!;

        /// <summary>Newest first.</summary>
        [JsonPropertyName("items")]
        public IReadOnlyList<WebhookDelivery> Items { get; set; } = null!;

        /// <summary>For the next page; null at the end.</summary>
        [JsonPropertyName("nextCursor")]
        public string? NextCursor { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WebhookDeliveryList";
    }
}
