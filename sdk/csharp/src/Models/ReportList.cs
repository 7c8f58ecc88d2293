// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>One page of reports.</summary>
    public sealed class ReportList
    {
        /// <summary>Those of the newest job first.</summary>
        [JsonPropertyName("items")]
        public IReadOnlyList<FiledReport> Items { get; set; } = null!;

        /// <summary>For the next page; null at the end.</summary>
        [JsonPropertyName("nextCursor")]
        public string? NextCursor { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ReportList";
    }
}
