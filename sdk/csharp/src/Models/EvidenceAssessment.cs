// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>One photo of the period: what was measured and stated, and who signed.</summary>
    public sealed class EvidenceAssessment
    {
        /// <summary>ReportId.</summary>
        [JsonPropertyName("reportId")]
        public string ReportId { get; set; } = null!;

        /// <summary>Version.</summary>
        [JsonPropertyName("version")]
        public long? Version { get; set; }

        /// <summary>One of: preliminary, final, amended, corrected, entered-in-error.</summary>
        [JsonPropertyName("status")]
        public string Status { get; set; } = null!;

        /// <summary>CapturedAt.</summary>
        [JsonPropertyName("capturedAt")]
        public string CapturedAt { get; set; } = null!;

        /// <summary>capturedAt as its sender stated it: with their offset, or a day (2026-11-27), month or year alone, to which
        /// nobody said an hour; capturedAt is then where it begins. Absent: nothing was stated.</summary>
        [JsonPropertyName("capturedAsStated")]
        public string? CapturedAsStated { get; set; }

        /// <summary>WoundDetected.</summary>
        [JsonPropertyName("woundDetected")]
        public bool? WoundDetected { get; set; }

        /// <summary>null where the photo has no scale: nothing is invented.</summary>
        [JsonPropertyName("areaCm2")]
        public MeasuredValue? AreaCm2 { get; set; }

        /// <summary>Why its area does not stand in the series; null: it does.</summary>
        [JsonPropertyName("noTrendReason")]
        public string? NoTrendReason { get; set; }

        /// <summary>Why it waits for a person; empty: it does not.</summary>
        [JsonPropertyName("attention")]
        public IReadOnlyList<string> Attention { get; set; } = null!;

        /// <summary>As a clinician stated it; null: nobody did.</summary>
        [JsonPropertyName("depthCm")]
        public double? DepthCm { get; set; }

        /// <summary>Where it was stated on another day than the photo’s.</summary>
        [JsonPropertyName("depthStatedAt")]
        public string? DepthStatedAt { get; set; }

        /// <summary>Clock positions as seen by whoever faces the wound; 12 is as a rule towards the head.</summary>
        [JsonPropertyName("undermining")]
        public IReadOnlyList<Undermining>? Undermining { get; set; }

        /// <summary>Clock positions as for undermining.</summary>
        [JsonPropertyName("tunnelling")]
        public IReadOnlyList<Tunnel>? Tunnelling { get; set; }

        /// <summary>Tissue.</summary>
        [JsonPropertyName("tissue")]
        public TissueComposition? Tissue { get; set; }

        /// <summary>Those whose share a clinician stated.</summary>
        [JsonPropertyName("confirmedTissues")]
        public IReadOnlyList<string> ConfirmedTissues { get; set; } = null!;

        /// <summary>ClinicalContext.</summary>
        [JsonPropertyName("clinicalContext")]
        public string? ClinicalContext { get; set; }

        /// <summary>Course.</summary>
        [JsonPropertyName("course")]
        public Course? Course { get; set; }

        /// <summary>ImageId.</summary>
        [JsonPropertyName("imageId")]
        public string ImageId { get; set; } = null!;

        /// <summary>PhotoDeleted.</summary>
        [JsonPropertyName("photoDeleted")]
        public bool? PhotoDeleted { get; set; }

        /// <summary>Whose decision stands behind the report; null: nobody’s.</summary>
        [JsonPropertyName("signed")]
        public EvidenceAssessmentSigned? Signed { get; set; }

        /// <summary>Links.</summary>
        [JsonPropertyName("links")]
        public EvidenceAssessmentLinks Links { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"EvidenceAssessment[imageId={ImageId}]";
    }

    /// <summary>EvidenceAssessmentSigned.</summary>
    public sealed class EvidenceAssessmentSigned
    {
        /// <summary>Reviewer.</summary>
        [JsonPropertyName("reviewer")]
        public Reviewer Reviewer { get; set; } = null!;

        /// <summary>At.</summary>
        [JsonPropertyName("at")]
        public string At { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "EvidenceAssessmentSigned";
    }

    /// <summary>EvidenceAssessmentLinks.</summary>
    public sealed class EvidenceAssessmentLinks
    {
        /// <summary>Report.</summary>
        [JsonPropertyName("report")]
        public string Report { get; set; } = null!;

        /// <summary>Version.</summary>
        [JsonPropertyName("version")]
        public string Version { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "EvidenceAssessmentLinks";
    }
}
