// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>What was done to the wound, as a person recorded it.</summary>
    public sealed class TreatmentStep
    {
        /// <summary>Id.</summary>
        [JsonPropertyName("id")]
        public string Id { get; set; } = null!;

        /// <summary>One of: debridement, graft, skin_substitute, compression, offloading, negative_pressure, antibiotics, surgery,
        /// amputation, dressing_change, trauma, other.</summary>
        [JsonPropertyName("type")]
        public string Type { get; set; } = null!;

        /// <summary>OccurredAt.</summary>
        [JsonPropertyName("occurredAt")]
        public string OccurredAt { get; set; } = null!;

        /// <summary>Note.</summary>
        [JsonPropertyName("note")]
        public string? Note { get; set; }

        /// <summary>By.</summary>
        [JsonPropertyName("by")]
        public string? By { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"TreatmentStep[id={Id}]";
    }
}
