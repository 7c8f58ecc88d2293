// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>What is known of one wound over some weeks, and what is missing.</summary>
    public sealed class WoundEvidence
    {
        /// <summary>Subject.</summary>
        [JsonPropertyName("subject")]
        public ReportSubject Subject { get; set; } = null!;

        /// <summary>Heading.</summary>
        [JsonPropertyName("heading")]
        public ReportHeading? Heading { get; set; }

        /// <summary>From.</summary>
        [JsonPropertyName("from")]
        public string From { get; set; } = null!;

        /// <summary>To.</summary>
        [JsonPropertyName("to")]
        public string To { get; set; } = null!;

        /// <summary>IssuedAt.</summary>
        [JsonPropertyName("issuedAt")]
        public string IssuedAt { get; set; } = null!;

        /// <summary>From the first area of the period that stands in the series to the last; null: there are no two.</summary>
        [JsonPropertyName("change")]
        public WoundEvidenceChange? Change { get; set; }

        /// <summary>Oldest photo first; without reports entered in error.</summary>
        [JsonPropertyName("assessments")]
        public IReadOnlyList<EvidenceAssessment> Assessments { get; set; } = null!;

        /// <summary>Oldest first. Empty: none is recorded here, which does not say that none was done.</summary>
        [JsonPropertyName("treatment")]
        public IReadOnlyList<TreatmentStep> Treatment { get; set; } = null!;

        /// <summary>Missing.</summary>
        [JsonPropertyName("missing")]
        public IReadOnlyList<EvidenceGap> Missing { get; set; } = null!;

        /// <summary>Links.</summary>
        [JsonPropertyName("links")]
        public WoundEvidenceLinks Links { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundEvidence";
    }

    /// <summary>WoundEvidenceChange.</summary>
    public sealed class WoundEvidenceChange
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
        public WoundEvidenceChangeAreaPctInterval? AreaPctInterval { get; set; }

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

        /// <summary>FirstReportId.</summary>
        [JsonPropertyName("firstReportId")]
        public string FirstReportId { get; set; } = null!;

        /// <summary>LastReportId.</summary>
        [JsonPropertyName("lastReportId")]
        public string LastReportId { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundEvidenceChange";
    }

    /// <summary>Holds the true change in nine of ten cases; absent in reports of release 0.1.</summary>
    public sealed class WoundEvidenceChangeAreaPctInterval
    {
        /// <summary>Lower.</summary>
        [JsonPropertyName("lower")]
        public double? Lower { get; set; }

        /// <summary>Upper.</summary>
        [JsonPropertyName("upper")]
        public double? Upper { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundEvidenceChangeAreaPctInterval";
    }

    /// <summary>WoundEvidenceLinks.</summary>
    public sealed class WoundEvidenceLinks
    {
        /// <summary>Self.</summary>
        [JsonPropertyName("self")]
        public string Self { get; set; } = null!;

        /// <summary>Wound.</summary>
        [JsonPropertyName("wound")]
        public string Wound { get; set; } = null!;

        /// <summary>Report.</summary>
        [JsonPropertyName("report")]
        public string Report { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundEvidenceLinks";
    }
}
