// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>What a ruler says of a printed calibration card.</summary>
    public sealed class CalibrationCardMeasurement
    {
        /// <summary>Which card was measured. One of: a4, credit-card.</summary>
        [JsonPropertyName("size")]
        public string? Size { get; set; }

        /// <summary>Length of its check bar on paper, in millimetres: within a tenth of 100 (a4) or 80 (credit-card).</summary>
        [JsonPropertyName("measuredBarMm")]
        public double? MeasuredBarMm { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "CalibrationCardMeasurement";
    }
}
