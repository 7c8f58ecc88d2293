// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>How the clock of the test environment is moved: either now or advance.</summary>
    public sealed class SandboxClockRequest
    {
        /// <summary>To where the clock is set; RFC 3339 with an offset. Not before the time of the clock.</summary>
        [JsonPropertyName("now")]
        public string? Now { get; set; }

        /// <summary>How far the clock is moved ahead: an ISO 8601 duration of whole weeks, days, hours, minutes and seconds.
        /// Months and years have no fixed length.</summary>
        [JsonPropertyName("advance")]
        public string? Advance { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "SandboxClockRequest";
    }
}
