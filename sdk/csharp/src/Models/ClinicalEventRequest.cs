// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>What was done to a wound, or happened to it.</summary>
    public sealed class ClinicalEventRequest
    {
        /// <summary>After debridement, graft and surgery the next photo within a week is a new baseline of the area. One of:
        /// debridement, graft, skin_substitute, compression, offloading, negative_pressure, antibiotics, surgery,
        /// amputation, dressing_change, trauma, other.</summary>
        [JsonPropertyName("type")]
        public string? Type { get; set; }

        /// <summary>A photo of the very moment counts as taken before. More than 5 minutes ahead: 422.</summary>
        [JsonPropertyName("occurredAt")]
        public string? OccurredAt { get; set; }

        /// <summary>Free clinical text; kept with the event, never logged.</summary>
        [JsonPropertyName("note")]
        public string? Note { get; set; }

        /// <summary>Who did it or saw it.</summary>
        [JsonPropertyName("by")]
        public Reviewer? By { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ClinicalEventRequest";
    }
}
