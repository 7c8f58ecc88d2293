// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>What the centimetres are made from.</summary>
    public sealed class ScaleUsed
    {
        /// <summary>marker, client or none; in a report also reviewer: a person set it at the review. More may come.</summary>
        [JsonPropertyName("source")]
        public string Source { get; set; } = null!;

        /// <summary>At the centre of the largest wound, else of the photo.</summary>
        [JsonPropertyName("mmPerPixel")]
        public double? MmPerPixel { get; set; }

        /// <summary>One standard deviation of a length, in %.</summary>
        [JsonPropertyName("uncertaintyPct")]
        public double? UncertaintyPct { get; set; }

        /// <summary>3x3 matrix, row by row, from pixels of the oriented photo to millimetres on the plane of the skin (homogeneous
        /// coordinates).</summary>
        [JsonPropertyName("pixelToMm")]
        public IReadOnlyList<double>? PixelToMm { get; set; }

        /// <summary>null where no marker was seen.</summary>
        [JsonPropertyName("marker")]
        public MarkerFinding? Marker { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ScaleUsed";
    }
}
