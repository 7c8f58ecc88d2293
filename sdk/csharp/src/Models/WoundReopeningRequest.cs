// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Who reopened it, when, and why.</summary>
    public sealed class WoundReopeningRequest
    {
        /// <summary>Reviewer.</summary>
        [JsonPropertyName("reviewer")]
        public Reviewer? Reviewer { get; set; }

        /// <summary>Note.</summary>
        [JsonPropertyName("note")]
        public string? Note { get; set; }

        /// <summary>When the person decided; absent: now. Photos taken before it belong to the course before.</summary>
        [JsonPropertyName("decidedAt")]
        public string? DecidedAt { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundReopeningRequest";
    }
}
