// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A terminal job never changes state again.</summary>
    public sealed class AnalysisJob
    {
        /// <summary>Id.</summary>
        [JsonPropertyName("id")]
        public string Id { get; set; } = null!;

        /// <summary>queued, processing, completed or error. A state that you do not know counts as still running.</summary>
        [JsonPropertyName("status")]
        public string Status { get; set; } = null!;

        /// <summary>ImageId.</summary>
        [JsonPropertyName("imageId")]
        public string ImageId { get; set; } = null!;

        /// <summary>ClinicalContext.</summary>
        [JsonPropertyName("clinicalContext")]
        public string? ClinicalContext { get; set; }

        /// <summary>Subject.</summary>
        [JsonPropertyName("subject")]
        public JobSubject? Subject { get; set; }

        /// <summary>CapturedAt.</summary>
        [JsonPropertyName("capturedAt")]
        public string CapturedAt { get; set; } = null!;

        /// <summary>capturedAt as its sender stated it: with their offset, or a day (2026-11-27), month or year alone, to which
        /// nobody said an hour; capturedAt is then where it begins. Absent: nothing was stated.</summary>
        [JsonPropertyName("capturedAsStated")]
        public string? CapturedAsStated { get; set; }

        /// <summary>Calibration.</summary>
        [JsonPropertyName("calibration")]
        public Calibration? Calibration { get; set; }

        /// <summary>ClinicianObservations.</summary>
        [JsonPropertyName("clinicianObservations")]
        public StatedObservations? ClinicianObservations { get; set; }

        /// <summary>One of: routine, stat.</summary>
        [JsonPropertyName("priority")]
        public string Priority { get; set; } = null!;

        /// <summary>Metadata.</summary>
        [JsonPropertyName("metadata")]
        public IReadOnlyDictionary<string, string>? Metadata { get; set; }

        /// <summary>One of: test, live.</summary>
        [JsonPropertyName("environment")]
        public string Environment { get; set; } = null!;

        /// <summary>The outcome that metadata.sandbox asked for; absent: none, and in live always.</summary>
        [JsonPropertyName("sandbox")]
        public string? Sandbox { get; set; }

        /// <summary>CreatedAt.</summary>
        [JsonPropertyName("createdAt")]
        public string CreatedAt { get; set; } = null!;

        /// <summary>StartedAt.</summary>
        [JsonPropertyName("startedAt")]
        public string? StartedAt { get; set; }

        /// <summary>CompletedAt.</summary>
        [JsonPropertyName("completedAt")]
        public string? CompletedAt { get; set; }

        /// <summary>How often a worker took the job, without the times when the service was at fault.</summary>
        [JsonPropertyName("attempts")]
        public long? Attempts { get; set; }

        /// <summary>The failed job that an operator had done again by this one, at no charge.</summary>
        [JsonPropertyName("retryOf")]
        public string? RetryOf { get; set; }

        /// <summary>With the status completed.</summary>
        [JsonPropertyName("result")]
        public WoundResult? Result { get; set; }

        /// <summary>With the status error; never together with result.</summary>
        [JsonPropertyName("error")]
        public JobError? Error { get; set; }

        /// <summary>Links.</summary>
        [JsonPropertyName("links")]
        public AnalysisJobLinks Links { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"AnalysisJob[id={Id}]";
    }

    /// <summary>AnalysisJobLinks.</summary>
    public sealed class AnalysisJobLinks
    {
        /// <summary>Self.</summary>
        [JsonPropertyName("self")]
        public string Self { get; set; } = null!;

        /// <summary>What is known of the photo; 410 once it was erased.</summary>
        [JsonPropertyName("image")]
        public string? Image { get; set; }

        /// <summary>With the status completed: the clinical report, in one of its representations.</summary>
        [JsonPropertyName("report")]
        public string? Report { get; set; }

        /// <summary>With the status completed.</summary>
        [JsonPropertyName("artifacts")]
        public AnalysisJobLinksArtifacts? Artifacts { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "AnalysisJobLinks";
    }

    /// <summary>With the status completed.</summary>
    public sealed class AnalysisJobLinksArtifacts
    {
        /// <summary>Mask.</summary>
        [JsonPropertyName("mask")]
        public string Mask { get; set; } = null!;

        /// <summary>Overlay.</summary>
        [JsonPropertyName("overlay")]
        public string Overlay { get; set; } = null!;

        /// <summary>Tissue.</summary>
        [JsonPropertyName("tissue")]
        public string? Tissue { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "AnalysisJobLinksArtifacts";
    }
}
