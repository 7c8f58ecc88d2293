// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A code from a terminology.</summary>
    public sealed class CodedConcept
    {
        /// <summary>URI of the code system, for example http://snomed.info/sct.</summary>
        [JsonPropertyName("system")]
        public string? System { get; set; }

        /// <summary>Code.</summary>
        [JsonPropertyName("code")]
        public string? Code { get; set; }

        /// <summary>Display.</summary>
        [JsonPropertyName("display")]
        public string? Display { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "CodedConcept";
    }
}
