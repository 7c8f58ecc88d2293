// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>What clinicians stated, as the report copies it.</summary>
    public sealed class StatedObservations
    {
        /// <summary>DepthCm.</summary>
        [JsonPropertyName("depthCm")]
        public double? DepthCm { get; set; }

        /// <summary>Head to toe, as measured at the bedside.</summary>
        [JsonPropertyName("lengthCm")]
        public double? LengthCm { get; set; }

        /// <summary>Side to side, as measured at the bedside.</summary>
        [JsonPropertyName("widthCm")]
        public double? WidthCm { get; set; }

        /// <summary>One of: none, light, moderate, heavy.</summary>
        [JsonPropertyName("exudate")]
        public string? Exudate { get; set; }

        /// <summary>One of: serous, serosanguineous, sanguineous, purulent.</summary>
        [JsonPropertyName("exudateType")]
        public string? ExudateType { get; set; }

        /// <summary>One of: none, faint, moderate, strong.</summary>
        [JsonPropertyName("odour")]
        public string? Odour { get; set; }

        /// <summary>Numeric rating scale.</summary>
        [JsonPropertyName("painNrs")]
        public long? PainNrs { get; set; }

        /// <summary>Clock positions as seen by whoever faces the wound; 12 is as a rule towards the head.</summary>
        [JsonPropertyName("undermining")]
        public IReadOnlyList<Undermining>? Undermining { get; set; }

        /// <summary>Clock positions as for undermining.</summary>
        [JsonPropertyName("tunnelling")]
        public IReadOnlyList<Tunnel>? Tunnelling { get; set; }

        /// <summary>One of: attached, not_attached, approximated, distinct, diffuse, rolled, undermined, macerated, callused,
        /// fibrotic.</summary>
        [JsonPropertyName("edges")]
        public IReadOnlyList<string>? Edges { get; set; }

        /// <summary>The skin around the wound. One of: intact, macerated, erythema, oedema, induration, warm, dry, scaly, callus,
        /// excoriated, fragile, blistered.</summary>
        [JsonPropertyName("periwound")]
        public IReadOnlyList<string>? Periwound { get; set; }

        /// <summary>Signs of infection in the clinician’s own words; no diagnosis is made of them.</summary>
        [JsonPropertyName("infectionSigns")]
        public IReadOnlyList<string>? InfectionSigns { get; set; }

        /// <summary>Signs of infection, each once.</summary>
        [JsonPropertyName("infectionSignCodes")]
        public IReadOnlyList<StatedSign>? InfectionSignCodes { get; set; }

        /// <summary>Stage.</summary>
        [JsonPropertyName("stage")]
        public WoundStage? Stage { get; set; }

        /// <summary>When each was stated, of those of another day than the photo’s: a moment with its offset, or a day.</summary>
        [JsonPropertyName("statedAt")]
        public IReadOnlyDictionary<string, string>? StatedAt { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "StatedObservations";
    }
}
