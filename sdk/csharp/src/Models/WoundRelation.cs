// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Wounds that grew together, or one that fell into several.</summary>
    public sealed class WoundRelation
    {
        /// <summary>Id.</summary>
        [JsonPropertyName("id")]
        public string Id { get; set; } = null!;

        /// <summary>joined or split; more may come.</summary>
        [JsonPropertyName("kind")]
        public string Kind { get; set; } = null!;

        /// <summary>joined: what the parts have become; split: what they were.</summary>
        [JsonPropertyName("whole")]
        public string Whole { get; set; } = null!;

        /// <summary>Parts.</summary>
        [JsonPropertyName("parts")]
        public IReadOnlyList<string> Parts { get; set; } = null!;

        /// <summary>At.</summary>
        [JsonPropertyName("at")]
        public string At { get; set; } = null!;

        /// <summary>Note.</summary>
        [JsonPropertyName("note")]
        public string? Note { get; set; }

        /// <summary>By.</summary>
        [JsonPropertyName("by")]
        public Reviewer? By { get; set; }

        /// <summary>RecordedAt.</summary>
        [JsonPropertyName("recordedAt")]
        public string RecordedAt { get; set; } = null!;

        /// <summary>The person behind the request, of X-Sutura-User; null: not named.</summary>
        [JsonPropertyName("enteredBy")]
        public string? EnteredBy { get; set; }

        /// <summary>Taken back, as if it had never been; null: it stands.</summary>
        [JsonPropertyName("withdrawn")]
        public WoundRelationWithdrawn? Withdrawn { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"WoundRelation[id={Id}]";
    }

    /// <summary>WoundRelationWithdrawn.</summary>
    public sealed class WoundRelationWithdrawn
    {
        /// <summary>WithdrawnAt.</summary>
        [JsonPropertyName("withdrawnAt")]
        public string WithdrawnAt { get; set; } = null!;

        /// <summary>Note.</summary>
        [JsonPropertyName("note")]
        public string? Note { get; set; }

        /// <summary>By.</summary>
        [JsonPropertyName("by")]
        public Reviewer? By { get; set; }

        /// <summary>EnteredBy.</summary>
        [JsonPropertyName("enteredBy")]
        public string? EnteredBy { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundRelationWithdrawn";
    }
}
