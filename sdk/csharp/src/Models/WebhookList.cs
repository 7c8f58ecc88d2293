// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>The webhooks of the organization in this environment, oldest first.</summary>
    public sealed class WebhookList
    {
        /// <summary>The same as items, by the name that they had first.</summary>
        [JsonPropertyName("webhooks")]
        public IReadOnlyList<Webhook> Webhooks { get; set; } = null!;

        /// <summary>Oldest first; all of them.</summary>
        [JsonPropertyName("items")]
        public IReadOnlyList<Webhook> Items { get; set; } = null!;

        /// <summary>For the next page; null at the end.</summary>
        [JsonPropertyName("nextCursor")]
        public string? NextCursor { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WebhookList";
    }
}
