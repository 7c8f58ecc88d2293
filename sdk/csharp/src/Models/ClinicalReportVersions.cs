// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Every version, kept for ever.</summary>
    public sealed class ClinicalReportVersions
    {
        /// <summary>Oldest version first; all of them.</summary>
        [JsonPropertyName("items")]
        public IReadOnlyList<ClinicalReport> Items { get; set; } = null!;

        /// <summary>For the next page; null at the end.</summary>
        [JsonPropertyName("nextCursor")]
        public string? NextCursor { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ClinicalReportVersions";
    }
}
