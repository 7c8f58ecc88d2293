// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A person’s decision about a wound.</summary>
    public sealed class WoundEvent
    {
        /// <summary>One of: merged, unmerged, closed, reopened, joined, unjoined, split, unsplit.</summary>
        [JsonPropertyName("decision")]
        public string Decision { get; set; } = null!;

        /// <summary>Into which wound it was merged, or out of which it was taken; with joined and split what it became.</summary>
        [JsonPropertyName("otherWound")]
        public string? OtherWound { get; set; }

        /// <summary>Reviewer.</summary>
        [JsonPropertyName("reviewer")]
        public Reviewer? Reviewer { get; set; }

        /// <summary>Note.</summary>
        [JsonPropertyName("note")]
        public string? Note { get; set; }

        /// <summary>Of closing; null: not said, which counts as other. One of: healed, amputated, grafted, merged, transferred,
        /// died, entered_in_error, other.</summary>
        [JsonPropertyName("reason")]
        public string? Reason { get; set; }

        /// <summary>DecidedAt.</summary>
        [JsonPropertyName("decidedAt")]
        public string DecidedAt { get; set; } = null!;

        /// <summary>The person behind the request, of X-Sutura-User; null: not named.</summary>
        [JsonPropertyName("enteredBy")]
        public string? EnteredBy { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundEvent";
    }
}
