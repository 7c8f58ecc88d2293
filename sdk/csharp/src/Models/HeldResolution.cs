// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>HeldResolution.</summary>
    public sealed class HeldResolution
    {
        /// <summary>One of the item’s. One of: same, another, discard, link, accept, same_authority, own_authority, retry, wait.</summary>
        [JsonPropertyName("action")]
        public string? Action { get; set; }

        /// <summary>With another: whose number it is, as a URI.</summary>
        [JsonPropertyName("authority")]
        public string? Authority { get; set; }

        /// <summary>With link: what it belongs to, as Type/id.</summary>
        [JsonPropertyName("to")]
        public string? To { get; set; }

        /// <summary>Why, for the history.</summary>
        [JsonPropertyName("note")]
        public string? Note { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "HeldResolution";
    }
}
