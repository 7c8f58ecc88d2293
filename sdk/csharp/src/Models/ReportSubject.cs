// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Whose wound, with the ids as you gave them.</summary>
    public sealed class ReportSubject
    {
        /// <summary>Patient.</summary>
        [JsonPropertyName("patient")]
        public PatientReference? Patient { get; set; }

        /// <summary>This service’s id of the wound.</summary>
        [JsonPropertyName("woundRef")]
        public string WoundRef { get; set; } = null!;

        /// <summary>Your own id; null: unlinked.</summary>
        [JsonPropertyName("woundId")]
        public string? WoundId { get; set; }

        /// <summary>WoundIdSystem.</summary>
        [JsonPropertyName("woundIdSystem")]
        public string? WoundIdSystem { get; set; }

        /// <summary>BodySite.</summary>
        [JsonPropertyName("bodySite")]
        public CodedConcept? BodySite { get; set; }

        /// <summary>One of: left, right, midline.</summary>
        [JsonPropertyName("laterality")]
        public string? Laterality { get; set; }

        /// <summary>WoundType.</summary>
        [JsonPropertyName("woundType")]
        public CodedConcept? WoundType { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ReportSubject";
    }
}
