// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>An event on its way to a webhook.</summary>
    public sealed class WebhookDelivery
    {
        /// <summary>Id.</summary>
        [JsonPropertyName("id")]
        public string Id { get; set; } = null!;

        /// <summary>webhook-id of every attempt.</summary>
        [JsonPropertyName("eventId")]
        public string EventId { get; set; } = null!;

        /// <summary>Type.</summary>
        [JsonPropertyName("type")]
        public string Type { get; set; } = null!;

        /// <summary>Sequence.</summary>
        [JsonPropertyName("sequence")]
        public long? Sequence { get; set; }

        /// <summary>One of: waiting, delivered, parked, discarded, collapsed, moved.</summary>
        [JsonPropertyName("state")]
        public string State { get; set; } = null!;

        /// <summary>Attempts.</summary>
        [JsonPropertyName("attempts")]
        public long? Attempts { get; set; }

        /// <summary>StatusCode.</summary>
        [JsonPropertyName("statusCode")]
        public long? StatusCode { get; set; }

        /// <summary>Fault.</summary>
        [JsonPropertyName("fault")]
        public string? Fault { get; set; }

        /// <summary>CreatedAt.</summary>
        [JsonPropertyName("createdAt")]
        public string CreatedAt { get; set; } = null!;

        /// <summary>While it waits: when it is tried again, at the earliest.</summary>
        [JsonPropertyName("nextAt")]
        public string? NextAt { get; set; }

        /// <summary>DeliveredAt.</summary>
        [JsonPropertyName("deliveredAt")]
        public string? DeliveredAt { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"WebhookDelivery[id={Id}]";
    }
}
