// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>How many deliveries are sent again.</summary>
    public sealed class WebhookReplayed
    {
        /// <summary>Replayed.</summary>
        [JsonPropertyName("replayed")]
        public long? Replayed { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WebhookReplayed";
    }
}
