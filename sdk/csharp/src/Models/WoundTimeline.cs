// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Decision support, not a diagnosis.</summary>
    public sealed class WoundTimeline
    {
        /// <summary>The wound asked for, or the one that it was merged into.</summary>
        [JsonPropertyName("wound")]
        public Wound Wound { get; set; } = null!;

        /// <summary>Oldest photo first, by capture time; without those entered in error.</summary>
        [JsonPropertyName("assessments")]
        public IReadOnlyList<TimelineAssessment> Assessments { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundTimeline";
    }
}
