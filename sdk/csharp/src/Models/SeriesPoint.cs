// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>An earlier assessment.</summary>
    public sealed class SeriesPoint
    {
        /// <summary>ReportId.</summary>
        [JsonPropertyName("reportId")]
        public string ReportId { get; set; } = null!;

        /// <summary>JobId.</summary>
        [JsonPropertyName("jobId")]
        public string JobId { get; set; } = null!;

        /// <summary>ImageId.</summary>
        [JsonPropertyName("imageId")]
        public string ImageId { get; set; } = null!;

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

        /// <summary>The area is that of several wounds which have grown together since; absent: of one.</summary>
        [JsonPropertyName("sumOf")]
        public IReadOnlyList<SeriesPointSumOf>? SumOf { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"SeriesPoint[imageId={ImageId}]";
    }

    /// <summary>SeriesPointSumOf.</summary>
    public sealed class SeriesPointSumOf
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
        public override string ToString() => $"SeriesPointSumOf[reportId={ReportId}]";
    }
}
