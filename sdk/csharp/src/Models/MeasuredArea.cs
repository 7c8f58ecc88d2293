// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>In the photo, and on the plane of the skin.</summary>
    public sealed class MeasuredArea
    {
        /// <summary>Pixels.</summary>
        [JsonPropertyName("pixels")]
        public double? Pixels { get; set; }

        /// <summary>What the outline alone leaves open. The true value lies between them in nine of ten cases.</summary>
        [JsonPropertyName("pixelBounds")]
        public MeasuredAreaPixelBounds PixelBounds { get; set; } = null!;

        /// <summary>null where the photo has no scale: nothing is invented.</summary>
        [JsonPropertyName("cm2")]
        public MeasuredValue? Cm2 { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "MeasuredArea";
    }

    /// <summary>What the outline alone leaves open. The true value lies between them in nine of ten cases.</summary>
    public sealed class MeasuredAreaPixelBounds
    {
        /// <summary>Lower.</summary>
        [JsonPropertyName("lower")]
        public double? Lower { get; set; }

        /// <summary>Upper.</summary>
        [JsonPropertyName("upper")]
        public double? Upper { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "MeasuredAreaPixelBounds";
    }
}
