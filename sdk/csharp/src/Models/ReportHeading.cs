// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Who and where the report is about, as the records say now; null: not known.</summary>
    public sealed class ReportHeading
    {
        /// <summary>PatientName.</summary>
        [JsonPropertyName("patientName")]
        public string? PatientName { get; set; }

        /// <summary>ISO 8601; a month or a year where no more is known.</summary>
        [JsonPropertyName("birthDate")]
        public string? BirthDate { get; set; }

        /// <summary>With its authority or type, where they are known.</summary>
        [JsonPropertyName("patientNumber")]
        public string? PatientNumber { get; set; }

        /// <summary>The organization, and where in it the patient lies.</summary>
        [JsonPropertyName("facility")]
        public string? Facility { get; set; }

        /// <summary>Orderer.</summary>
        [JsonPropertyName("orderer")]
        public string? Orderer { get; set; }

        /// <summary>IANA zone in which documents print moments; JSON has UTC.</summary>
        [JsonPropertyName("timeZone")]
        public string TimeZone { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ReportHeading";
    }
}
