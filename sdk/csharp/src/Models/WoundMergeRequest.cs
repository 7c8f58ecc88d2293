// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Joins a wound into another of the same patient.</summary>
    public sealed class WoundMergeRequest
    {
        /// <summary>The wound that this one turned out to be.</summary>
        [JsonPropertyName("into")]
        public string? Into { get; set; }

        /// <summary>Reviewer.</summary>
        [JsonPropertyName("reviewer")]
        public Reviewer? Reviewer { get; set; }

        /// <summary>Note.</summary>
        [JsonPropertyName("note")]
        public string? Note { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundMergeRequest";
    }
}
