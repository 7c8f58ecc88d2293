// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Unknown fields are refused, so that a misspelt one is not silently lost.</summary>
    public sealed class AnalysisJobRequest
    {
        /// <summary>From the answer to the upload-url request.</summary>
        [JsonPropertyName("imageId")]
        public string? ImageId { get; set; }

        /// <summary>Free clinical text; kept with the job, never logged.</summary>
        [JsonPropertyName("clinicalContext")]
        public string? ClinicalContext { get; set; }

        /// <summary>Subject.</summary>
        [JsonPropertyName("subject")]
        public JobSubject? Subject { get; set; }

        /// <summary>When the photo was taken; default: as an earlier analysis of this photo has it, else as its camera says (then
        /// the result warns <c>captured_at_from_photo</c>), else now. More than 5 minutes ahead: 422.</summary>
        [JsonPropertyName("capturedAt")]
        public string? CapturedAt { get; set; }

        /// <summary>Calibration.</summary>
        [JsonPropertyName("calibration")]
        public Calibration? Calibration { get; set; }

        /// <summary>ClinicianObservations.</summary>
        [JsonPropertyName("clinicianObservations")]
        public ClinicianObservations? ClinicianObservations { get; set; }

        /// <summary>stat goes before routine; default: routine. One of: routine, stat.</summary>
        [JsonPropertyName("priority")]
        public string? Priority { get; set; }

        /// <summary>Up to 16 pairs of your own, given back with the job. In the test environment sandbox asks for an outcome:
        /// job_failed, quota_exceeded, needs_review, held:identity_conflict, or slow:1s to slow:600s; in live any is
        /// refused, 422.</summary>
        [JsonPropertyName("metadata")]
        public IReadOnlyDictionary<string, string>? Metadata { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"AnalysisJobRequest[imageId={ImageId}]";
    }
}
