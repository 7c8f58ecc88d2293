// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Where in the photo the wound lies, in pixels of the photo upright (after its EXIF orientation). Of a photo
    /// that shows several wounds.</summary>
    public sealed class PhotoRegion
    {
        /// <summary>X.</summary>
        [JsonPropertyName("x")]
        public double? X { get; set; }

        /// <summary>Y.</summary>
        [JsonPropertyName("y")]
        public double? Y { get; set; }

        /// <summary>With height: a box with x, y at its upper left; without both: a point.</summary>
        [JsonPropertyName("width")]
        public double? Width { get; set; }

        /// <summary>Height.</summary>
        [JsonPropertyName("height")]
        public double? Height { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "PhotoRegion";
    }
}
