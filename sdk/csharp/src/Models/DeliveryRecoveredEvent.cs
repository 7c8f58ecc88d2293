// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Another webhook takes events again.</summary>
    public sealed class DeliveryRecoveredEvent
    {
        /// <summary>Type.</summary>
        [JsonPropertyName("type")]
        public string Type { get; set; } = null!;

        /// <summary>Of the event.</summary>
        [JsonPropertyName("timestamp")]
        public string Timestamp { get; set; } = null!;

        /// <summary>Data.</summary>
        [JsonPropertyName("data")]
        public DeliveryRecoveredEventData Data { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "DeliveryRecoveredEvent";
    }

    /// <summary>DeliveryRecoveredEventData.</summary>
    public sealed class DeliveryRecoveredEventData
    {
        /// <summary>Rises with every event of the webhook: drop what is older than what you have.</summary>
        [JsonPropertyName("sequence")]
        public long? Sequence { get; set; }

        /// <summary>WebhookId.</summary>
        [JsonPropertyName("webhookId")]
        public string WebhookId { get; set; } = null!;

        /// <summary>DeliveryId.</summary>
        [JsonPropertyName("deliveryId")]
        public string DeliveryId { get; set; } = null!;

        /// <summary>FailingSince.</summary>
        [JsonPropertyName("failingSince")]
        public string FailingSince { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "DeliveryRecoveredEventData";
    }
}
