// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Opens the review desk for what it was made for.</summary>
    public sealed class ReviewLink
    {
        /// <summary>Id.</summary>
        [JsonPropertyName("id")]
        public string Id { get; set; } = null!;

        /// <summary>Opens once. A secret until then: show it to the person, and keep it nowhere.</summary>
        [JsonPropertyName("url")]
        public string Url { get; set; } = null!;

        /// <summary>The desk ends then, too.</summary>
        [JsonPropertyName("expiresAt")]
        public string ExpiresAt { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"ReviewLink[id={Id}]";
    }
}
