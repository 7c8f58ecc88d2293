// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>What grew together or fell apart, by which the area counts anew; absent: nothing.</summary>
    public sealed class AreaRelation
    {
        /// <summary>joined or split.</summary>
        [JsonPropertyName("kind")]
        public string Kind { get; set; } = null!;

        /// <summary>At.</summary>
        [JsonPropertyName("at")]
        public string At { get; set; } = null!;

        /// <summary>joined: those that grew together; split: the one that it was part of.</summary>
        [JsonPropertyName("wounds")]
        public IReadOnlyList<string> Wounds { get; set; } = null!;

        /// <summary>On the first area after it: from the sum of what grew together, or from the wound before to the sum of its
        /// parts; else null.</summary>
        [JsonPropertyName("change")]
        public AreaChange? Change { get; set; }

        /// <summary>What is added up for that change.</summary>
        [JsonPropertyName("sumOf")]
        public IReadOnlyList<AreaRelationSumOf> SumOf { get; set; } = null!;

        /// <summary>What that change is to.</summary>
        [JsonPropertyName("areaCm2")]
        public double? AreaCm2 { get; set; }

        /// <summary>What that change is from.</summary>
        [JsonPropertyName("beforeReportId")]
        public string? BeforeReportId { get; set; }

        /// <summary>On the first area after it, for its curve: the sums of what grew together, or the areas of the wound that it
        /// was part of under another number; the first of all and the newest, 52 at most; absent elsewhere.</summary>
        [JsonPropertyName("before")]
        public IReadOnlyList<RelatedArea>? Before { get; set; }

        /// <summary>Of a split all parts together on the first area after it; absent where they are not all known.</summary>
        [JsonPropertyName("together")]
        public RelatedArea? Together { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "AreaRelation";
    }

    /// <summary>AreaRelationSumOf.</summary>
    public sealed class AreaRelationSumOf
    {
        /// <summary>WoundRef.</summary>
        [JsonPropertyName("woundRef")]
        public string WoundRef { get; set; } = null!;

        /// <summary>ReportId.</summary>
        [JsonPropertyName("reportId")]
        public string ReportId { get; set; } = null!;

        /// <summary>AreaCm2.</summary>
        [JsonPropertyName("areaCm2")]
        public double? AreaCm2 { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"AreaRelationSumOf[reportId={ReportId}]";
    }
}
