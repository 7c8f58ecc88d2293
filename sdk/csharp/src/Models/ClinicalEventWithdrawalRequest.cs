// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Who takes it back, and why.</summary>
    public sealed class ClinicalEventWithdrawalRequest
    {
        /// <summary>Free clinical text; kept with the event, never logged.</summary>
        [JsonPropertyName("note")]
        public string? Note { get; set; }

        /// <summary>Who did it or saw it.</summary>
        [JsonPropertyName("by")]
        public Reviewer? By { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ClinicalEventWithdrawalRequest";
    }
}
