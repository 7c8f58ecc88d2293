// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A model that the figures come from.</summary>
    public sealed class ModelUsed
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

        /// <summary>ResearchOnly.</summary>
        [JsonPropertyName("researchOnly")]
        public bool? ResearchOnly { get; set; }

        /// <summary>wound-segmentation or tissue-segmentation; more may come. Results from before models said it lack it.</summary>
        [JsonPropertyName("task")]
        public string? Task { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ModelUsed";
    }
}
