// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A photo that was drawn for tests. Nobody is shown.</summary>
    public sealed class Sample
    {
        /// <summary>Name.</summary>
        [JsonPropertyName("name")]
        public string Name { get; set; } = null!;

        /// <summary>Shows.</summary>
        [JsonPropertyName("shows")]
        public string Shows { get; set; } = null!;

        /// <summary>ContentType.</summary>
        [JsonPropertyName("contentType")]
        public string ContentType { get; set; } = null!;

        /// <summary>SizeBytes.</summary>
        [JsonPropertyName("sizeBytes")]
        public long? SizeBytes { get; set; }

        /// <summary>Hex.</summary>
        [JsonPropertyName("sha256")]
        public string Sha256 { get; set; } = null!;

        /// <summary>Pixels.</summary>
        [JsonPropertyName("width")]
        public long? Width { get; set; }

        /// <summary>Pixels.</summary>
        [JsonPropertyName("height")]
        public long? Height { get; set; }

        /// <summary>Of the larger wound, as it was drawn; null: none was.</summary>
        [JsonPropertyName("drawnAreaCm2")]
        public double? DrawnAreaCm2 { get; set; }

        /// <summary>Its place in a series; null: it stands alone.</summary>
        [JsonPropertyName("series")]
        public SampleSeriesPart? Series { get; set; }

        /// <summary>Seen.</summary>
        [JsonPropertyName("seen")]
        public SampleSeen Seen { get; set; } = null!;

        /// <summary>Links.</summary>
        [JsonPropertyName("links")]
        public SampleLinks Links { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "Sample";
    }

    /// <summary>SampleSeriesPart.</summary>
    public sealed class SampleSeriesPart
    {
        /// <summary>Name.</summary>
        [JsonPropertyName("name")]
        public string Name { get; set; } = null!;

        /// <summary>Number.</summary>
        [JsonPropertyName("number")]
        public long? Number { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "SampleSeriesPart";
    }

    /// <summary>SampleLinks.</summary>
    public sealed class SampleLinks
    {
        /// <summary>Photo.</summary>
        [JsonPropertyName("photo")]
        public string Photo { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "SampleLinks";
    }
}
