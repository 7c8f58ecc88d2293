// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A wound that was one and is several now.</summary>
    public sealed class WoundSplitRequest
    {
        /// <summary>The wounds that this one has fallen into; this one among them where it goes on under its number, else it ends.</summary>
        [JsonPropertyName("into")]
        public IReadOnlyList<string>? Into { get; set; }

        /// <summary>When it was first seen; a photo of the very moment shows it. More than 5 minutes ahead: 422.</summary>
        [JsonPropertyName("at")]
        public string? At { get; set; }

        /// <summary>Free clinical text; kept with the relation, never logged.</summary>
        [JsonPropertyName("note")]
        public string? Note { get; set; }

        /// <summary>Who saw it.</summary>
        [JsonPropertyName("by")]
        public Reviewer? By { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundSplitRequest";
    }
}
