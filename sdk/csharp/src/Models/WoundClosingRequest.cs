// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Who closed it, when, and why.</summary>
    public sealed class WoundClosingRequest
    {
        /// <summary>Reviewer.</summary>
        [JsonPropertyName("reviewer")]
        public Reviewer? Reviewer { get; set; }

        /// <summary>Note.</summary>
        [JsonPropertyName("note")]
        public string? Note { get; set; }

        /// <summary>healed alone is a cure; absent: other. One of: healed, amputated, grafted, merged, transferred, died,
        /// entered_in_error, other.</summary>
        [JsonPropertyName("reason")]
        public string? Reason { get; set; }

        /// <summary>When the person decided; absent: now. Photos taken before it belong to the course before.</summary>
        [JsonPropertyName("closedAt")]
        public string? ClosedAt { get; set; }

        /// <summary>Another name of closedAt, which stands before it.</summary>
        [JsonPropertyName("decidedAt")]
        public string? DecidedAt { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundClosingRequest";
    }
}
