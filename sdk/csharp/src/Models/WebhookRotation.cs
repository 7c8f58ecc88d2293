// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>How long the old keys sign beside the new ones.</summary>
    public sealed class WebhookRotation
    {
        /// <summary>Seconds for which the old keys sign as well.</summary>
        [JsonPropertyName("overlapS")]
        public long? OverlapS { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WebhookRotation";
    }
}
