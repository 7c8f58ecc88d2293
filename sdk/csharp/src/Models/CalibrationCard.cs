// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>One size of card, and what was measured on its prints.</summary>
    public sealed class CalibrationCard
    {
        /// <summary>One of: a4, credit-card.</summary>
        [JsonPropertyName("size")]
        public string Size { get; set; } = null!;

        /// <summary>Length of the check bar when printed at 100 %.</summary>
        [JsonPropertyName("barMm")]
        public double? BarMm { get; set; }

        /// <summary>The stored correction; null: none, the card counts as printed at 100 %.</summary>
        [JsonPropertyName("measuredBarMm")]
        public double? MeasuredBarMm { get; set; }

        /// <summary>MeasuredAt.</summary>
        [JsonPropertyName("measuredAt")]
        public string? MeasuredAt { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "CalibrationCard";
    }
}
