// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A person’s decision about a report. The job’s own result stays what the model said.</summary>
    public sealed class ReviewRequest
    {
        /// <summary>accept; reject (entered in error); correct; reassign (the photo is of another patient or wound). One of:
        /// accept, reject, correct, reassign.</summary>
        [JsonPropertyName("decision")]
        public string? Decision { get; set; }

        /// <summary>With correct: the wound’s outline.</summary>
        [JsonPropertyName("contour")]
        public JsonElement? Contour { get; set; }

        /// <summary>With correct: which of the result’s wounds belong, by index.</summary>
        [JsonPropertyName("outlines")]
        public IReadOnlyList<long>? Outlines { get; set; }

        /// <summary>With correct: what the wound bed consists of.</summary>
        [JsonPropertyName("tissue")]
        public TissueShares? Tissue { get; set; }

        /// <summary>With correct: the scale of the oriented photo, as a person found it by something of known length in it; 0.005
        /// to 5. Every figure is measured anew by it, and it stays for later corrections.</summary>
        [JsonPropertyName("calibration")]
        public ReviewRequestCalibration? Calibration { get; set; }

        /// <summary>With correct: all that a clinician states of the wound that day, in place of what had been stated; what it
        /// leaves out is no longer stated. The former ones stay in the version before.</summary>
        [JsonPropertyName("observations")]
        public ClinicianObservations? Observations { get; set; }

        /// <summary>With a contour: true where it is meant although it takes in nearly the whole photo, or many times what was
        /// outlined; else the answer and the report warn <c>outline_unlikely</c>.</summary>
        [JsonPropertyName("confirmOutline")]
        public bool? ConfirmOutline { get; set; }

        /// <summary>With reassign: whose wound it is.</summary>
        [JsonPropertyName("subject")]
        public JobSubject? Subject { get; set; }

        /// <summary>Note.</summary>
        [JsonPropertyName("note")]
        public string? Note { get; set; }

        /// <summary>Reviewer.</summary>
        [JsonPropertyName("reviewer")]
        public Reviewer? Reviewer { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ReviewRequest";
    }

    /// <summary>With correct: the scale of the oriented photo, as a person found it by something of known length in it; 0.005
    /// to 5. Every figure is measured anew by it, and it stays for later corrections.</summary>
    public sealed class ReviewRequestCalibration
    {
        /// <summary>MmPerPixel.</summary>
        [JsonPropertyName("mmPerPixel")]
        public double? MmPerPixel { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ReviewRequestCalibration";
    }
}
