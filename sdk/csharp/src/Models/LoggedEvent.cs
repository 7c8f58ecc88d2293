// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Something that happened, as webhooks tell it.</summary>
    public sealed class LoggedEvent
    {
        /// <summary>As in webhook-id: drop what you have had from a webhook.</summary>
        [JsonPropertyName("id")]
        public string Id { get; set; } = null!;

        /// <summary>More may come. One of: analysis.completed, analysis.failed, report.ready, report.amended, report.reviewed,
        /// wound.opened, wound.closed, wound.attention, quota.threshold, endpoint.disabled, delivery.recovered.</summary>
        [JsonPropertyName("type")]
        public string Type { get; set; } = null!;

        /// <summary>Of the event, as in the body of a webhook.</summary>
        [JsonPropertyName("timestamp")]
        public string Timestamp { get; set; } = null!;

        /// <summary>When it came into the log: rises along the list.</summary>
        [JsonPropertyName("recordedAt")]
        public string RecordedAt { get; set; } = null!;

        /// <summary>As in the body of a webhook with the content "ids" (its schema: webhooks), without sequence, which counts the
        /// events of one webhook.</summary>
        [JsonPropertyName("data")]
        public IReadOnlyDictionary<string, JsonElement> Data { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"LoggedEvent[id={Id}]";
    }
}
