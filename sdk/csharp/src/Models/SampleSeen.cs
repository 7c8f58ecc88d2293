// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>What came of the sample, sent alone for a patient and a wound of its own, analysed with seenWith. No promise
    /// of another model.</summary>
    public sealed class SampleSeen
    {
        /// <summary>One of: completed, refused.</summary>
        [JsonPropertyName("job")]
        public string Job { get; set; } = null!;

        /// <summary>The code of the refusal; null: none, and the rest is null with one.</summary>
        [JsonPropertyName("refusedWith")]
        public string? RefusedWith { get; set; }

        /// <summary>WoundDetected.</summary>
        [JsonPropertyName("woundDetected")]
        public bool? WoundDetected { get; set; }

        /// <summary>quality.acceptable of the result.</summary>
        [JsonPropertyName("acceptable")]
        public bool? Acceptable { get; set; }

        /// <summary>OutlineReliable.</summary>
        [JsonPropertyName("outlineReliable")]
        public bool? OutlineReliable { get; set; }

        /// <summary>null where the outline is not reliable: another model draws another one.</summary>
        [JsonPropertyName("outlines")]
        public long? Outlines { get; set; }

        /// <summary>To a tenth; null as outlines, and without a scale.</summary>
        [JsonPropertyName("areaCm2")]
        public double? AreaCm2 { get; set; }

        /// <summary>Of the wound bed, to a hundredth; null as areaCm2, or none.</summary>
        [JsonPropertyName("necrosisShare")]
        public double? NecrosisShare { get; set; }

        /// <summary>quality.warnings of the result.</summary>
        [JsonPropertyName("warnings")]
        public IReadOnlyList<string> Warnings { get; set; } = null!;

        /// <summary>Why its report waits for a person; empty: it does not.</summary>
        [JsonPropertyName("attention")]
        public IReadOnlyList<string> Attention { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "SampleSeen";
    }
}
