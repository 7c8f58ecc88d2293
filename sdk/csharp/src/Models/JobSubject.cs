// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Which wound of whom, in your own terms.</summary>
    public sealed class JobSubject
    {
        /// <summary>Your identifier of the patient.</summary>
        [JsonPropertyName("patientId")]
        public string? PatientId { get; set; }

        /// <summary>URI of the numbering that patientId belongs to; absent: your own.</summary>
        [JsonPropertyName("patientSystem")]
        public string? PatientSystem { get; set; }

        /// <summary>Your stable identifier of the wound.</summary>
        [JsonPropertyName("woundId")]
        public string? WoundId { get; set; }

        /// <summary>URI of the numbering that woundId belongs to; absent: your own.</summary>
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

        /// <summary>Region.</summary>
        [JsonPropertyName("region")]
        public PhotoRegion? Region { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "JobSubject";
    }
}
