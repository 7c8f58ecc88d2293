// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A model of this installation.</summary>
    public sealed class Model
    {
        /// <summary>Name.</summary>
        [JsonPropertyName("name")]
        public string Name { get; set; } = null!;

        /// <summary>Version.</summary>
        [JsonPropertyName("version")]
        public string Version { get; set; } = null!;

        /// <summary>wound-segmentation or tissue-segmentation; more may come.</summary>
        [JsonPropertyName("task")]
        public string Task { get; set; } = null!;

        /// <summary>fast, accurate (of an operator’s own models) or null.</summary>
        [JsonPropertyName("variant")]
        public string? Variant { get; set; }

        /// <summary>Of the weights, as in the trace of every result made with them.</summary>
        [JsonPropertyName("sha256")]
        public string Sha256 { get; set; } = null!;

        /// <summary>Whether jobs are analysed with it.</summary>
        [JsonPropertyName("active")]
        public bool? Active { get; set; }

        /// <summary>Its licence forbids the use on patients.</summary>
        [JsonPropertyName("researchOnly")]
        public bool? ResearchOnly { get; set; }

        /// <summary>Licence.</summary>
        [JsonPropertyName("licence")]
        public string Licence { get; set; } = null!;

        /// <summary>Figures as its maker states them; null where there are none.</summary>
        [JsonPropertyName("metrics")]
        public IReadOnlyDictionary<string, JsonElement>? Metrics { get; set; }

        /// <summary>The model card, Markdown; null where there is none.</summary>
        [JsonPropertyName("card")]
        public string? Card { get; set; }

        /// <summary>Links.</summary>
        [JsonPropertyName("links")]
        public ModelLinks Links { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "Model";
    }

    /// <summary>ModelLinks.</summary>
    public sealed class ModelLinks
    {
        /// <summary>The card as a FHIR DocumentReference.</summary>
        [JsonPropertyName("fhirModelCard")]
        public string FhirModelCard { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ModelLinks";
    }
}
