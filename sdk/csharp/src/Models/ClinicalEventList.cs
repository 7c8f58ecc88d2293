// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>The clinical events of a wound.</summary>
    public sealed class ClinicalEventList
    {
        /// <summary>Oldest first, all of the wound; withdrawn ones too.</summary>
        [JsonPropertyName("items")]
        public IReadOnlyList<ClinicalEvent> Items { get; set; } = null!;

        /// <summary>For the next page; null at the end.</summary>
        [JsonPropertyName("nextCursor")]
        public string? NextCursor { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ClinicalEventList";
    }
}
