// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Shares of the wound bed; together 1. They count as confirmed by a clinician.</summary>
    public sealed class TissueShares
    {
        /// <summary>Granulation.</summary>
        [JsonPropertyName("granulation")]
        public double? Granulation { get; set; }

        /// <summary>Slough.</summary>
        [JsonPropertyName("slough")]
        public double? Slough { get; set; }

        /// <summary>Necrosis.</summary>
        [JsonPropertyName("necrosis")]
        public double? Necrosis { get; set; }

        /// <summary>Other.</summary>
        [JsonPropertyName("other")]
        public double? Other { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "TissueShares";
    }
}
