// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>The report of one photo, in one version. Decision support, not a diagnosis.</summary>
    public sealed class ClinicalReport
    {
        /// <summary>Id.</summary>
        [JsonPropertyName("id")]
        public string Id { get; set; } = null!;

        /// <summary>Version.</summary>
        [JsonPropertyName("version")]
        public long? Version { get; set; }

        /// <summary>preliminary until a person accepts or corrects it; a job’s "completed" is not "final". One of: preliminary,
        /// final, amended, corrected, entered-in-error.</summary>
        [JsonPropertyName("status")]
        public string Status { get; set; } = null!;

        /// <summary>created, reviewed, recomputed, moved: the patient’s record was joined into another, or photo_erased: a photo
        /// that it showed was deleted.</summary>
        [JsonPropertyName("reason")]
        public string Reason { get; set; } = null!;

        /// <summary>One of: test, live.</summary>
        [JsonPropertyName("environment")]
        public string Environment { get; set; } = null!;

        /// <summary>JobId.</summary>
        [JsonPropertyName("jobId")]
        public string JobId { get; set; } = null!;

        /// <summary>ImageId.</summary>
        [JsonPropertyName("imageId")]
        public string ImageId { get; set; } = null!;

        /// <summary>Of this photo in the wound’s series; null for a report entered in error, and for earlier versions.</summary>
        [JsonPropertyName("sequence")]
        public long? Sequence { get; set; }

        /// <summary>The report whose place this one took, by a reassignment.</summary>
        [JsonPropertyName("replaces")]
        public string? Replaces { get; set; }

        /// <summary>ReplacedBy.</summary>
        [JsonPropertyName("replacedBy")]
        public string? ReplacedBy { get; set; }

        /// <summary>When this version was made.</summary>
        [JsonPropertyName("issuedAt")]
        public string IssuedAt { get; set; } = null!;

        /// <summary>Subject.</summary>
        [JsonPropertyName("subject")]
        public ReportSubject Subject { get; set; } = null!;

        /// <summary>CapturedAt.</summary>
        [JsonPropertyName("capturedAt")]
        public string CapturedAt { get; set; } = null!;

        /// <summary>capturedAt as its sender stated it: with their offset, or a day (2026-11-27), month or year alone, to which
        /// nobody said an hour; capturedAt is then where it begins. Absent: nothing was stated.</summary>
        [JsonPropertyName("capturedAsStated")]
        public string? CapturedAsStated { get; set; }

        /// <summary>ClinicalContext.</summary>
        [JsonPropertyName("clinicalContext")]
        public string? ClinicalContext { get; set; }

        /// <summary>ClinicianObservations.</summary>
        [JsonPropertyName("clinicianObservations")]
        public StatedObservations? ClinicianObservations { get; set; }

        /// <summary>Findings.</summary>
        [JsonPropertyName("findings")]
        public AssessmentFindings Findings { get; set; } = null!;

        /// <summary>Comparison.</summary>
        [JsonPropertyName("comparison")]
        public SeriesComparison Comparison { get; set; } = null!;

        /// <summary>Flags.</summary>
        [JsonPropertyName("flags")]
        public IReadOnlyList<FollowUpFlag> Flags { get; set; } = null!;

        /// <summary>null: no person has looked at it.</summary>
        [JsonPropertyName("review")]
        public ReviewStamp? Review { get; set; }

        /// <summary>Models.</summary>
        [JsonPropertyName("models")]
        public IReadOnlyList<ModelUsed> Models { get; set; } = null!;

        /// <summary>The outcome that metadata.sandbox of its job asked for; absent: none, and in live always.</summary>
        [JsonPropertyName("sandbox")]
        public string? Sandbox { get; set; }

        /// <summary>Photos that documents of this report showed and that were deleted. Absent: none.</summary>
        [JsonPropertyName("erasedPhotos")]
        public IReadOnlyList<ClinicalReportErasedPhotos>? ErasedPhotos { get; set; }

        /// <summary>Where one report is read; absent in lists and in answers to reviews.</summary>
        [JsonPropertyName("heading")]
        public ReportHeading? Heading { get; set; }

        /// <summary>Links.</summary>
        [JsonPropertyName("links")]
        public ClinicalReportLinks Links { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"ClinicalReport[id={Id}]";
    }

    /// <summary>ClinicalReportErasedPhotos.</summary>
    public sealed class ClinicalReportErasedPhotos
    {
        /// <summary>ImageId.</summary>
        [JsonPropertyName("imageId")]
        public string ImageId { get; set; } = null!;

        /// <summary>ErasedAt.</summary>
        [JsonPropertyName("erasedAt")]
        public string ErasedAt { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"ClinicalReportErasedPhotos[imageId={ImageId}]";
    }

    /// <summary>ClinicalReportLinks.</summary>
    public sealed class ClinicalReportLinks
    {
        /// <summary>Self.</summary>
        [JsonPropertyName("self")]
        public string Self { get; set; } = null!;

        /// <summary>Versions.</summary>
        [JsonPropertyName("versions")]
        public string Versions { get; set; } = null!;

        /// <summary>Job.</summary>
        [JsonPropertyName("job")]
        public string Job { get; set; } = null!;

        /// <summary>Wound.</summary>
        [JsonPropertyName("wound")]
        public string Wound { get; set; } = null!;

        /// <summary>Timeline.</summary>
        [JsonPropertyName("timeline")]
        public string Timeline { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ClinicalReportLinks";
    }
}
