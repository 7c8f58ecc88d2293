// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Held.</summary>
    public sealed class Held
    {
        /// <summary>Id.</summary>
        [JsonPropertyName("id")]
        public string Id { get; set; } = null!;

        /// <summary>One of: test, live.</summary>
        [JsonPropertyName("environment")]
        public string Environment { get; set; } = null!;

        /// <summary>One of: identity_conflict, patient_unknown, order_without_photo, photo_without_order, wound_unclear,
        /// authority_unknown, photo_times_out, ehr_patient_not_one, ehr_encounter_not_one, ehr_outcome_unknown.</summary>
        [JsonPropertyName("reason")]
        public string Reason { get; set; } = null!;

        /// <summary>Since.</summary>
        [JsonPropertyName("since")]
        public string Since { get; set; } = null!;

        /// <summary>null: it came through several. One of: rest, fhir, hl7v2, ehr.</summary>
        [JsonPropertyName("door")]
        public string? Door { get; set; }

        /// <summary>Ids of what came and of what it touches, at most 100 of each sort.</summary>
        [JsonPropertyName("came")]
        public HeldCame Came { get; set; } = null!;

        /// <summary>In words.</summary>
        [JsonPropertyName("waitsFor")]
        public string WaitsFor { get; set; } = null!;

        /// <summary>What can be done; none: it goes on by itself. One of: same, another, discard, link, accept, same_authority,
        /// own_authority, retry, wait.</summary>
        [JsonPropertyName("actions")]
        public IReadOnlyList<string> Actions { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"Held[id={Id}]";
    }

    /// <summary>Ids of what came and of what it touches, at most 100 of each sort.</summary>
    public sealed class HeldCame
    {
        /// <summary>MessageIds.</summary>
        [JsonPropertyName("messageIds")]
        public IReadOnlyList<string> MessageIds { get; set; } = null!;

        /// <summary>Type/id</summary>
        [JsonPropertyName("resources")]
        public IReadOnlyList<string> Resources { get; set; } = null!;

        /// <summary>JobIds.</summary>
        [JsonPropertyName("jobIds")]
        public IReadOnlyList<string> JobIds { get; set; } = null!;

        /// <summary>ImageIds.</summary>
        [JsonPropertyName("imageIds")]
        public IReadOnlyList<string> ImageIds { get; set; } = null!;

        /// <summary>PatientIds.</summary>
        [JsonPropertyName("patientIds")]
        public IReadOnlyList<string> PatientIds { get; set; } = null!;

        /// <summary>Orders.</summary>
        [JsonPropertyName("orders")]
        public IReadOnlyList<string> Orders { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "HeldCame";
    }
}
