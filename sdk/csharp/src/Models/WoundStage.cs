// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A stage or grade as a person stated it; never told from a photo.</summary>
    public sealed class WoundStage
    {
        /// <summary>One of: wagner, pressure, texas.</summary>
        [JsonPropertyName("system")]
        public string? System { get; set; }

        /// <summary>One of: 0, 1, 2, 3, 4, 5, unstageable, suspected_deep_tissue_injury, mucosal, 0A, 0B, 0C, 0D, 1A, 1B, 1C, 1D,
        /// 2A, 2B, 2C, 2D, 3A, 3B, 3C, 3D.</summary>
        [JsonPropertyName("value")]
        public string? Value { get; set; }

        /// <summary>The name of whoever stated it.</summary>
        [JsonPropertyName("statedBy")]
        public string? StatedBy { get; set; }

        /// <summary>Where that is not the time of the photo: a moment with its offset, or a day.</summary>
        [JsonPropertyName("statedAt")]
        public string? StatedAt { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundStage";
    }
}
