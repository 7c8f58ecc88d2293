// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>An undermined stretch of the edge, clockwise from one hour to the other: 11 to 2 runs over 12. Without toClock
    /// it is at one hour.</summary>
    public sealed class Undermining
    {
        /// <summary>FromClock.</summary>
        [JsonPropertyName("fromClock")]
        public long? FromClock { get; set; }

        /// <summary>ToClock.</summary>
        [JsonPropertyName("toClock")]
        public long? ToClock { get; set; }

        /// <summary>DepthCm.</summary>
        [JsonPropertyName("depthCm")]
        public double? DepthCm { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "Undermining";
    }
}
