// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A wound with its candidates and what was decided about it.</summary>
    public sealed class WoundDetails
    {
        /// <summary>This service’s id of the wound.</summary>
        [JsonPropertyName("id")]
        public string Id { get; set; } = null!;

        /// <summary>Patient.</summary>
        [JsonPropertyName("patient")]
        public PatientReference? Patient { get; set; }

        /// <summary>Your own id; null: unlinked, its assessment named no wound.</summary>
        [JsonPropertyName("woundId")]
        public string? WoundId { get; set; }

        /// <summary>null: your own numbering.</summary>
        [JsonPropertyName("woundIdSystem")]
        public string? WoundIdSystem { get; set; }

        /// <summary>Linked.</summary>
        [JsonPropertyName("linked")]
        public bool? Linked { get; set; }

        /// <summary>BodySite.</summary>
        [JsonPropertyName("bodySite")]
        public CodedConcept? BodySite { get; set; }

        /// <summary>One of: left, right, midline.</summary>
        [JsonPropertyName("laterality")]
        public string? Laterality { get; set; }

        /// <summary>WoundType.</summary>
        [JsonPropertyName("woundType")]
        public CodedConcept? WoundType { get; set; }

        /// <summary>Only a person closes and reopens a wound. One of: open, closed.</summary>
        [JsonPropertyName("status")]
        public string Status { get; set; } = null!;

        /// <summary>ClosedAt.</summary>
        [JsonPropertyName("closedAt")]
        public string? ClosedAt { get; set; }

        /// <summary>The wound that a person joined this one into.</summary>
        [JsonPropertyName("mergedInto")]
        public string? MergedInto { get; set; }

        /// <summary>One of: test, live.</summary>
        [JsonPropertyName("environment")]
        public string Environment { get; set; } = null!;

        /// <summary>CreatedAt.</summary>
        [JsonPropertyName("createdAt")]
        public string CreatedAt { get; set; } = null!;

        /// <summary>Links.</summary>
        [JsonPropertyName("links")]
        public WoundDetailsLinks Links { get; set; } = null!;

        /// <summary>The reports of its series that wait for a person, oldest photo first; empty: none.</summary>
        [JsonPropertyName("attention")]
        public IReadOnlyList<WaitingReport>? Attention { get; set; }

        /// <summary>As it stands now: of the last photo, unless a person has closed or reopened it since; null: not known.</summary>
        [JsonPropertyName("course")]
        public Course? Course { get; set; }

        /// <summary>Of an unlinked wound: those of the same patient, site and side that a person may find to be the same.</summary>
        [JsonPropertyName("candidates")]
        public IReadOnlyList<Wound> Candidates { get; set; } = null!;

        /// <summary>What people decided, oldest first.</summary>
        [JsonPropertyName("events")]
        public IReadOnlyList<WoundEvent> Events { get; set; } = null!;

        /// <summary>What was done to it between its photos, without what was withdrawn; oldest first.</summary>
        [JsonPropertyName("clinicalEvents")]
        public IReadOnlyList<ClinicalEvent> ClinicalEvents { get; set; } = null!;

        /// <summary>With what it has grown together, and into what it has fallen; those taken back, too. Oldest first.</summary>
        [JsonPropertyName("relations")]
        public IReadOnlyList<WoundRelation> Relations { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"WoundDetails[id={Id}]";
    }

    /// <summary>WoundDetailsLinks.</summary>
    public sealed class WoundDetailsLinks
    {
        /// <summary>Self.</summary>
        [JsonPropertyName("self")]
        public string Self { get; set; } = null!;

        /// <summary>Timeline.</summary>
        [JsonPropertyName("timeline")]
        public string Timeline { get; set; } = null!;

        /// <summary>Report.</summary>
        [JsonPropertyName("report")]
        public string Report { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundDetailsLinks";
    }
}
