// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>GeoJSON polygon in pixels of the oriented photo: the outer ring first, then holes.</summary>
    public sealed class PixelPolygon
    {
        /// <summary>Type.</summary>
        [JsonPropertyName("type")]
        public string Type { get; set; } = null!;

        /// <summary>Coordinates.</summary>
        [JsonPropertyName("coordinates")]
        public IReadOnlyList<IReadOnlyList<IReadOnlyList<double>>> Coordinates { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "PixelPolygon";
    }
}
