// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>What an auditor looks for and does not find.</summary>
    public sealed class EvidenceGap
    {
        /// <summary>patient_not_named, site_not_stated, type_not_stated, no_assessment, start_not_measured, end_not_measured,
        /// period_not_over, week_without_assessment, change_not_told, change_not_comparable, area_not_measured,
        /// depth_not_stated, tissue_not_told, photo_deleted, awaiting_person, not_signed, treatment_not_recorded; more
        /// may come.</summary>
        [JsonPropertyName("code")]
        public string Code { get; set; } = null!;

        /// <summary>Of a time without an assessment.</summary>
        [JsonPropertyName("from")]
        public string? From { get; set; }

        /// <summary>To.</summary>
        [JsonPropertyName("to")]
        public string? To { get; set; }

        /// <summary>The reports that lack it.</summary>
        [JsonPropertyName("reportIds")]
        public IReadOnlyList<string> ReportIds { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "EvidenceGap";
    }
}
