// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A report that waits for a person to accept, correct, reject or reassign it.</summary>
    public sealed class WaitingReport
    {
        /// <summary>ReportId.</summary>
        [JsonPropertyName("reportId")]
        public string ReportId { get; set; } = null!;

        /// <summary>CapturedAt.</summary>
        [JsonPropertyName("capturedAt")]
        public string CapturedAt { get; set; } = null!;

        /// <summary>capturedAt as its sender stated it: with their offset, or a day (2026-11-27), month or year alone, to which
        /// nobody said an hour; capturedAt is then where it begins. Absent: nothing was stated.</summary>
        [JsonPropertyName("capturedAsStated")]
        public string? CapturedAsStated { get; set; }

        /// <summary>site_mismatch, duplicate_photo, which_outline, no_wound_in_region, area_jump, area_implausible, before_birth,
        /// sandbox; more may come.</summary>
        [JsonPropertyName("reasons")]
        public IReadOnlyList<string> Reasons { get; set; } = null!;

        /// <summary>Links.</summary>
        [JsonPropertyName("links")]
        public WaitingReportLinks Links { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"WaitingReport[reportId={ReportId}]";
    }

    /// <summary>WaitingReportLinks.</summary>
    public sealed class WaitingReportLinks
    {
        /// <summary>Report.</summary>
        [JsonPropertyName("report")]
        public string Report { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WaitingReportLinks";
    }
}
