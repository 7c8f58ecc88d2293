// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Each size of card, and what was measured on its prints.</summary>
    public sealed class CalibrationCards
    {
        /// <summary>The same as items, by the name that they had first.</summary>
        [JsonPropertyName("cards")]
        public IReadOnlyList<CalibrationCard> Cards { get; set; } = null!;

        /// <summary>Each size.</summary>
        [JsonPropertyName("items")]
        public IReadOnlyList<CalibrationCard> Items { get; set; } = null!;

        /// <summary>For the next page; null at the end.</summary>
        [JsonPropertyName("nextCursor")]
        public string? NextCursor { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "CalibrationCards";
    }
}
