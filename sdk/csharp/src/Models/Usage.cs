// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>The organization’s analyses of today.</summary>
    public sealed class Usage
    {
        /// <summary>Analyses per UTC day, both environments together.</summary>
        [JsonPropertyName("limit")]
        public long? Limit { get; set; }

        /// <summary>Used.</summary>
        [JsonPropertyName("used")]
        public long? Used { get; set; }

        /// <summary>Remaining.</summary>
        [JsonPropertyName("remaining")]
        public long? Remaining { get; set; }

        /// <summary>The next 00:00 UTC.</summary>
        [JsonPropertyName("resetsAt")]
        public string ResetsAt { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "Usage";
    }
}
