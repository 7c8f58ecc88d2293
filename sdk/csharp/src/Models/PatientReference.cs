// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>The patient as you named them.</summary>
    public sealed class PatientReference
    {
        /// <summary>Id.</summary>
        [JsonPropertyName("id")]
        public string Id { get; set; } = null!;

        /// <summary>null: your own numbering.</summary>
        [JsonPropertyName("system")]
        public string? System { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"PatientReference[id={Id}]";
    }
}
