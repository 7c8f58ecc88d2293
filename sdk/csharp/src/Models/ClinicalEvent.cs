// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>What was done to a wound, or happened to it, between its photos.</summary>
    public sealed class ClinicalEvent
    {
        /// <summary>Id.</summary>
        [JsonPropertyName("id")]
        public string Id { get; set; } = null!;

        /// <summary>The wound that it was recorded of; it may have been merged into another since.</summary>
        [JsonPropertyName("wound")]
        public string Wound { get; set; } = null!;

        /// <summary>debridement, graft, skin_substitute, compression, offloading, negative_pressure, antibiotics, surgery,
        /// amputation, dressing_change, trauma, other; more may come.</summary>
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
        public Reviewer? By { get; set; }

        /// <summary>RecordedAt.</summary>
        [JsonPropertyName("recordedAt")]
        public string RecordedAt { get; set; } = null!;

        /// <summary>The person behind the request, of X-Sutura-User; null: not named.</summary>
        [JsonPropertyName("enteredBy")]
        public string? EnteredBy { get; set; }

        /// <summary>Taken back, as if it had never been; null: it stands.</summary>
        [JsonPropertyName("withdrawn")]
        public ClinicalEventWithdrawn? Withdrawn { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"ClinicalEvent[id={Id}]";
    }

    /// <summary>ClinicalEventWithdrawn.</summary>
    public sealed class ClinicalEventWithdrawn
    {
        /// <summary>WithdrawnAt.</summary>
        [JsonPropertyName("withdrawnAt")]
        public string WithdrawnAt { get; set; } = null!;

        /// <summary>Note.</summary>
        [JsonPropertyName("note")]
        public string? Note { get; set; }

        /// <summary>By.</summary>
        [JsonPropertyName("by")]
        public Reviewer? By { get; set; }

        /// <summary>EnteredBy.</summary>
        [JsonPropertyName("enteredBy")]
        public string? EnteredBy { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ClinicalEventWithdrawn";
    }
}
