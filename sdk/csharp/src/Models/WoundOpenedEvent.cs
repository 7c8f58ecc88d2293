// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A wound has its first photo, or was reopened.</summary>
    public sealed class WoundOpenedEvent
    {
        /// <summary>Type.</summary>
        [JsonPropertyName("type")]
        public string Type { get; set; } = null!;

        /// <summary>Of the event.</summary>
        [JsonPropertyName("timestamp")]
        public string Timestamp { get; set; } = null!;

        /// <summary>Data.</summary>
        [JsonPropertyName("data")]
        public WoundOpenedEventData Data { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundOpenedEvent";
    }

    /// <summary>WoundOpenedEventData.</summary>
    public sealed class WoundOpenedEventData
    {
        /// <summary>Rises with every event of the webhook: drop what is older than what you have.</summary>
        [JsonPropertyName("sequence")]
        public long? Sequence { get; set; }

        /// <summary>WoundId.</summary>
        [JsonPropertyName("woundId")]
        public string WoundId { get; set; } = null!;

        /// <summary>Reopened.</summary>
        [JsonPropertyName("reopened")]
        public bool? Reopened { get; set; }

        /// <summary>Where a person reopened it.</summary>
        [JsonPropertyName("decidedAt")]
        public string? DecidedAt { get; set; }

        /// <summary>With the content "full" alone.</summary>
        [JsonPropertyName("patient")]
        public JsonElement? Patient { get; set; }

        /// <summary>With the content "full" alone.</summary>
        [JsonPropertyName("callersWoundId")]
        public string? CallersWoundId { get; set; }

        /// <summary>With the content "full" alone.</summary>
        [JsonPropertyName("callersWoundIdSystem")]
        public string? CallersWoundIdSystem { get; set; }

        /// <summary>With "full": a text that would have made the body too long is left out.</summary>
        [JsonPropertyName("truncated")]
        public bool? Truncated { get; set; }

        /// <summary>With the content "full" alone.</summary>
        [JsonPropertyName("reviewer")]
        public JsonElement? Reviewer { get; set; }

        /// <summary>With the content "full" alone.</summary>
        [JsonPropertyName("note")]
        public string? Note { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundOpenedEventData";
    }
}
