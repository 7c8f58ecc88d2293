// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>An area of the course of a wound that is not of its number alone.</summary>
    public sealed class RelatedArea
    {
        /// <summary>CapturedAt.</summary>
        [JsonPropertyName("capturedAt")]
        public string CapturedAt { get; set; } = null!;

        /// <summary>capturedAt as its sender stated it: with their offset, or a day (2026-11-27), month or year alone, to which
        /// nobody said an hour; capturedAt is then where it begins. Absent: nothing was stated.</summary>
        [JsonPropertyName("capturedAsStated")]
        public string? CapturedAsStated { get; set; }

        /// <summary>AreaCm2.</summary>
        [JsonPropertyName("areaCm2")]
        public MeasuredValue AreaCm2 { get; set; } = null!;

        /// <summary>What it adds up; absent: the area of one wound.</summary>
        [JsonPropertyName("sumOf")]
        public IReadOnlyList<RelatedAreaSumOf>? SumOf { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "RelatedArea";
    }

    /// <summary>RelatedAreaSumOf.</summary>
    public sealed class RelatedAreaSumOf
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
        public override string ToString() => $"RelatedAreaSumOf[reportId={ReportId}]";
    }
}
