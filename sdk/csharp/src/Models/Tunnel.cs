// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A tunnel that leads from the wound in one direction.</summary>
    public sealed class Tunnel
    {
        /// <summary>Clock.</summary>
        [JsonPropertyName("clock")]
        public long? Clock { get; set; }

        /// <summary>DepthCm.</summary>
        [JsonPropertyName("depthCm")]
        public double? DepthCm { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "Tunnel";
    }
}
