// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A treatment by which the area counts anew; absent: none.</summary>
    public sealed class AreaReset
    {
        /// <summary>debridement, graft or surgery.</summary>
        [JsonPropertyName("type")]
        public string Type { get; set; } = null!;

        /// <summary>OccurredAt.</summary>
        [JsonPropertyName("occurredAt")]
        public string OccurredAt { get; set; } = null!;

        /// <summary>The first area after it, which the areas since are compared with.</summary>
        [JsonPropertyName("baselineReportId")]
        public string BaselineReportId { get; set; } = null!;

        /// <summary>On that area itself: from the last one before, neither better nor worse; else null.</summary>
        [JsonPropertyName("change")]
        public AreaChange? Change { get; set; }

        /// <summary>What that change is from.</summary>
        [JsonPropertyName("beforeReportId")]
        public string? BeforeReportId { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "AreaReset";
    }
}
