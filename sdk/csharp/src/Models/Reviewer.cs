// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>The person who took a decision.</summary>
    public sealed class Reviewer
    {
        /// <summary>Who decided, as your system knows them.</summary>
        [JsonPropertyName("id")]
        public string? Id { get; set; }

        /// <summary>Name.</summary>
        [JsonPropertyName("name")]
        public string? Name { get; set; }

        /// <summary>URI of the numbering that id belongs to.</summary>
        [JsonPropertyName("system")]
        public string? System { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"Reviewer[id={Id}]";
    }
}
