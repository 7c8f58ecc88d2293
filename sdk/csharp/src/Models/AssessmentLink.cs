// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Another assessment of the wound, measured or not.</summary>
    public sealed class AssessmentLink
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

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"AssessmentLink[imageId={ImageId}]";
    }
}
