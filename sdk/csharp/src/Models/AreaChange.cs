// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>The change of a wound’s area between two photos.</summary>
    public sealed class AreaChange
    {
        /// <summary>Days.</summary>
        [JsonPropertyName("days")]
        public double? Days { get; set; }

        /// <summary>AreaCm2.</summary>
        [JsonPropertyName("areaCm2")]
        public double? AreaCm2 { get; set; }

        /// <summary>Below 0: smaller than then.</summary>
        [JsonPropertyName("areaPct")]
        public double? AreaPct { get; set; }

        /// <summary>Holds the true change in nine of ten cases; absent in reports of release 0.1.</summary>
        [JsonPropertyName("areaPctInterval")]
        public AreaChangeAreaPctInterval? AreaPctInterval { get; set; }

        /// <summary>null within half a day.</summary>
        [JsonPropertyName("areaCm2PerWeek")]
        public double? AreaCm2PerWeek { get; set; }

        /// <summary>Area lost ÷ mean perimeter ÷ days; below 0: the margin retreated.</summary>
        [JsonPropertyName("marginAdvanceMmPerDay")]
        public double? MarginAdvanceMmPerDay { get; set; }

        /// <summary>A change in this direction that is smaller may come from taking the photo anew (95 %).</summary>
        [JsonPropertyName("minimalDetectableChangePct")]
        public double? MinimalDetectableChangePct { get; set; }

        /// <summary>BeyondDetectable.</summary>
        [JsonPropertyName("beyondDetectable")]
        public bool? BeyondDetectable { get; set; }

        /// <summary>other_scale_source, poor_quality, other_model_version, doubtful_outline, treated_between; more may come.</summary>
        [JsonPropertyName("warnings")]
        public IReadOnlyList<string> Warnings { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "AreaChange";
    }

    /// <summary>Holds the true change in nine of ten cases; absent in reports of release 0.1.</summary>
    public sealed class AreaChangeAreaPctInterval
    {
        /// <summary>Lower.</summary>
        [JsonPropertyName("lower")]
        public double? Lower { get; set; }

        /// <summary>Upper.</summary>
        [JsonPropertyName("upper")]
        public double? Upper { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "AreaChangeAreaPctInterval";
    }
}
