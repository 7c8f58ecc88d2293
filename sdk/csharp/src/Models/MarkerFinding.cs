// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>What was seen of a printed calibration card.</summary>
    public sealed class MarkerFinding
    {
        /// <summary>used, refused or ignored.</summary>
        [JsonPropertyName("status")]
        public string Status { get; set; } = null!;

        /// <summary>a4 or credit_card.</summary>
        [JsonPropertyName("card")]
        public string? Card { get; set; }

        /// <summary>MarkerIds.</summary>
        [JsonPropertyName("markerIds")]
        public IReadOnlyList<long> MarkerIds { get; set; } = null!;

        /// <summary>TiltDegrees.</summary>
        [JsonPropertyName("tiltDegrees")]
        public double? TiltDegrees { get; set; }

        /// <summary>cut_off, contradictory, too_small, too_oblique, unknown_marker, client_scale_given, implausible; null where it
        /// was used.</summary>
        [JsonPropertyName("reason")]
        public string? Reason { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "MarkerFinding";
    }
}
