// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>The clock of an organization’s test environment.</summary>
    public sealed class SandboxClock
    {
        /// <summary>The time of the clock as this answer is written. It goes on at the pace of real time.</summary>
        [JsonPropertyName("now")]
        public string Now { get; set; } = null!;

        /// <summary>How far ahead of real time it is; 0: it was never moved.</summary>
        [JsonPropertyName("aheadSeconds")]
        public double? AheadSeconds { get; set; }

        /// <summary>The latest moment to which it can be set at present: 3650 days ahead of real time.</summary>
        [JsonPropertyName("latest")]
        public string Latest { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "SandboxClock";
    }
}
