// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>All assessments of one wound between two moments.</summary>
    public sealed class CourseReport
    {
        /// <summary>Subject.</summary>
        [JsonPropertyName("subject")]
        public ReportSubject Subject { get; set; } = null!;

        /// <summary>From.</summary>
        [JsonPropertyName("from")]
        public string? From { get; set; }

        /// <summary>To.</summary>
        [JsonPropertyName("to")]
        public string? To { get; set; }

        /// <summary>IssuedAt.</summary>
        [JsonPropertyName("issuedAt")]
        public string IssuedAt { get; set; } = null!;

        /// <summary>Present versions, oldest photo first; without those entered in error.</summary>
        [JsonPropertyName("reports")]
        public IReadOnlyList<ClinicalReport> Reports { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "CourseReport";
    }
}
