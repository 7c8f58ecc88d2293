// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Who decided, and why.</summary>
    public sealed class WoundDecisionRequest
    {
        /// <summary>Reviewer.</summary>
        [JsonPropertyName("reviewer")]
        public Reviewer? Reviewer { get; set; }

        /// <summary>Note.</summary>
        [JsonPropertyName("note")]
        public string? Note { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundDecisionRequest";
    }
}
