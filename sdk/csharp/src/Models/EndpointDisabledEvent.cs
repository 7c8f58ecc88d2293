// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Another webhook was disabled.</summary>
    public sealed class EndpointDisabledEvent
    {
        /// <summary>Type.</summary>
        [JsonPropertyName("type")]
        public string Type { get; set; } = null!;

        /// <summary>Of the event.</summary>
        [JsonPropertyName("timestamp")]
        public string Timestamp { get; set; } = null!;

        /// <summary>Data.</summary>
        [JsonPropertyName("data")]
        public EndpointDisabledEventData Data { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "EndpointDisabledEvent";
    }

    /// <summary>EndpointDisabledEventData.</summary>
    public sealed class EndpointDisabledEventData
    {
        /// <summary>Rises with every event of the webhook: drop what is older than what you have.</summary>
        [JsonPropertyName("sequence")]
        public long? Sequence { get; set; }

        /// <summary>WebhookId.</summary>
        [JsonPropertyName("webhookId")]
        public string WebhookId { get; set; } = null!;

        /// <summary>One of: gone, failing.</summary>
        [JsonPropertyName("reason")]
        public string Reason { get; set; } = null!;

        /// <summary>DisabledAt.</summary>
        [JsonPropertyName("disabledAt")]
        public string DisabledAt { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "EndpointDisabledEventData";
    }
}
