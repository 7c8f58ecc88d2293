// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>One page of jobs.</summary>
    public sealed class AnalysisJobList
    {
        /// <summary>Newest first.</summary>
        [JsonPropertyName("items")]
        public IReadOnlyList<AnalysisJob> Items { get; set; } = null!;

        /// <summary>For the next page; null at the end.</summary>
        [JsonPropertyName("nextCursor")]
        public string? NextCursor { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "AnalysisJobList";
    }
}
