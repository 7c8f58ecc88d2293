// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Photos to test an integration with.</summary>
    public sealed class SampleList
    {
        /// <summary>All of them.</summary>
        [JsonPropertyName("items")]
        public IReadOnlyList<Sample> Items { get; set; } = null!;

        /// <summary>For the next page; null at the end.</summary>
        [JsonPropertyName("nextCursor")]
        public string? NextCursor { get; set; }

        /// <summary>Series.</summary>
        [JsonPropertyName("series")]
        public IReadOnlyList<SampleSeries> Series { get; set; } = null!;

        /// <summary>The models whose answers were seen.</summary>
        [JsonPropertyName("seenWith")]
        public IReadOnlyList<SampleListSeenWith> SeenWith { get; set; } = null!;

        /// <summary>SeenOn.</summary>
        [JsonPropertyName("seenOn")]
        public string SeenOn { get; set; } = null!;

        /// <summary>false: this installation analyses with other models, which may answer otherwise.</summary>
        [JsonPropertyName("seenWithActiveModels")]
        public bool? SeenWithActiveModels { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "SampleList";
    }

    /// <summary>SampleListSeenWith.</summary>
    public sealed class SampleListSeenWith
    {
        /// <summary>Name.</summary>
        [JsonPropertyName("name")]
        public string Name { get; set; } = null!;

        /// <summary>Version.</summary>
        [JsonPropertyName("version")]
        public string Version { get; set; } = null!;

        /// <summary>Sha256.</summary>
        [JsonPropertyName("sha256")]
        public string Sha256 { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "SampleListSeenWith";
    }
}
