// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>80 or 100 % of the quota of the day is used.</summary>
    public sealed class QuotaThresholdEvent
    {
        /// <summary>Type.</summary>
        [JsonPropertyName("type")]
        public string Type { get; set; } = null!;

        /// <summary>Of the event.</summary>
        [JsonPropertyName("timestamp")]
        public string Timestamp { get; set; } = null!;

        /// <summary>Data.</summary>
        [JsonPropertyName("data")]
        public QuotaThresholdEventData Data { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "QuotaThresholdEvent";
    }

    /// <summary>QuotaThresholdEventData.</summary>
    public sealed class QuotaThresholdEventData
    {
        /// <summary>Rises with every event of the webhook: drop what is older than what you have.</summary>
        [JsonPropertyName("sequence")]
        public long? Sequence { get; set; }

        /// <summary>SharePct.</summary>
        [JsonPropertyName("sharePct")]
        public long? SharePct { get; set; }

        /// <summary>Day.</summary>
        [JsonPropertyName("day")]
        public string Day { get; set; } = null!;

        /// <summary>Limit.</summary>
        [JsonPropertyName("limit")]
        public long? Limit { get; set; }

        /// <summary>Used.</summary>
        [JsonPropertyName("used")]
        public long? Used { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "QuotaThresholdEventData";
    }
}
