// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>The decision that last shaped the report.</summary>
    public sealed class ReviewStamp
    {
        /// <summary>One of: accept, reject, correct, reassign.</summary>
        [JsonPropertyName("decision")]
        public string Decision { get; set; } = null!;

        /// <summary>Reviewer.</summary>
        [JsonPropertyName("reviewer")]
        public Reviewer Reviewer { get; set; } = null!;

        /// <summary>Note.</summary>
        [JsonPropertyName("note")]
        public string? Note { get; set; }

        /// <summary>ReviewedAt.</summary>
        [JsonPropertyName("reviewedAt")]
        public string ReviewedAt { get; set; } = null!;

        /// <summary>The person behind the request, of X-Sutura-User; absent: not named.</summary>
        [JsonPropertyName("enteredBy")]
        public string? EnteredBy { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ReviewStamp";
    }
}
