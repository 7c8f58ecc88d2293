// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A report without its content: links.self has that.</summary>
    public sealed class FiledReport
    {
        /// <summary>Id.</summary>
        [JsonPropertyName("id")]
        public string Id { get; set; } = null!;

        /// <summary>The present one.</summary>
        [JsonPropertyName("version")]
        public long? Version { get; set; }

        /// <summary>entered-in-error: withdrawn; replacedBy has what took its place. One of: preliminary, final, amended,
        /// corrected, entered-in-error.</summary>
        [JsonPropertyName("status")]
        public string Status { get; set; } = null!;

        /// <summary>JobId.</summary>
        [JsonPropertyName("jobId")]
        public string JobId { get; set; } = null!;

        /// <summary>ImageId.</summary>
        [JsonPropertyName("imageId")]
        public string ImageId { get; set; } = null!;

        /// <summary>The wound that it was filed under. Where a person joined that one into another, it says so (mergedInto).</summary>
        [JsonPropertyName("woundRef")]
        public string WoundRef { get; set; } = null!;

        /// <summary>Why it waits for a person; empty: it does not.</summary>
        [JsonPropertyName("attention")]
        public IReadOnlyList<string> Attention { get; set; } = null!;

        /// <summary>Replaces.</summary>
        [JsonPropertyName("replaces")]
        public string? Replaces { get; set; }

        /// <summary>ReplacedBy.</summary>
        [JsonPropertyName("replacedBy")]
        public string? ReplacedBy { get; set; }

        /// <summary>CapturedAt.</summary>
        [JsonPropertyName("capturedAt")]
        public string CapturedAt { get; set; } = null!;

        /// <summary>When its first version was filed.</summary>
        [JsonPropertyName("createdAt")]
        public string CreatedAt { get; set; } = null!;

        /// <summary>Links.</summary>
        [JsonPropertyName("links")]
        public FiledReportLinks Links { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"FiledReport[id={Id}]";
    }

    /// <summary>FiledReportLinks.</summary>
    public sealed class FiledReportLinks
    {
        /// <summary>Self.</summary>
        [JsonPropertyName("self")]
        public string Self { get; set; } = null!;

        /// <summary>Job.</summary>
        [JsonPropertyName("job")]
        public string Job { get; set; } = null!;

        /// <summary>Wound.</summary>
        [JsonPropertyName("wound")]
        public string Wound { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "FiledReportLinks";
    }
}
