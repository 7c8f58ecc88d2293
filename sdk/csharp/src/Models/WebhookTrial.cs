// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>How the endpoint answered a test event.</summary>
    public sealed class WebhookTrial
    {
        /// <summary>Delivered.</summary>
        [JsonPropertyName("delivered")]
        public bool? Delivered { get; set; }

        /// <summary>StatusCode.</summary>
        [JsonPropertyName("statusCode")]
        public long? StatusCode { get; set; }

        /// <summary>Why there was no answer, as a code.</summary>
        [JsonPropertyName("fault")]
        public string? Fault { get; set; }

        /// <summary>DurationMs.</summary>
        [JsonPropertyName("durationMs")]
        public long? DurationMs { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WebhookTrial";
    }
}
