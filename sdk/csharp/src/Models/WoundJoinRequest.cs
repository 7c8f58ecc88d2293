// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Wounds that were two and have grown together.</summary>
    public sealed class WoundJoinRequest
    {
        /// <summary>The wounds that have grown together into this one; this one among them where it goes on under its number. The
        /// others end.</summary>
        [JsonPropertyName("from")]
        public IReadOnlyList<string>? From { get; set; }

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
        public override string ToString() => "WoundJoinRequest";
    }
}
