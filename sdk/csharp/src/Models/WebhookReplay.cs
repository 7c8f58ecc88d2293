// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>The deliveries that are to be sent again.</summary>
    public sealed class WebhookReplay
    {
        /// <summary>Of the deliveries, when they were made.</summary>
        [JsonPropertyName("since")]
        public string? Since { get; set; }

        /// <summary>Not included; absent: until now.</summary>
        [JsonPropertyName("until")]
        public string? Until { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WebhookReplay";
    }
}
