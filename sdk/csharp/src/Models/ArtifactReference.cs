// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A picture made from the analysis.</summary>
    public sealed class ArtifactReference
    {
        /// <summary>Stable; needs the scope analysis:read.</summary>
        [JsonPropertyName("url")]
        public string Url { get; set; } = null!;

        /// <summary>ContentType.</summary>
        [JsonPropertyName("contentType")]
        public string ContentType { get; set; } = null!;

        /// <summary>Width.</summary>
        [JsonPropertyName("width")]
        public long? Width { get; set; }

        /// <summary>Height.</summary>
        [JsonPropertyName("height")]
        public long? Height { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ArtifactReference";
    }
}
