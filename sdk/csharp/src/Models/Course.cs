// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Better or worse, from all that is known: decision support, not a diagnosis.</summary>
    public sealed class Course
    {
        /// <summary>improving, unchanged, worsening, mixed, closed (healed), ended, reopened or unknown.</summary>
        [JsonPropertyName("verdict")]
        public string Verdict { get; set; } = null!;

        /// <summary>The first photo of this unbroken verdict; of closed, ended and reopened when it was decided.</summary>
        [JsonPropertyName("since")]
        public string Since { get; set; } = null!;

        /// <summary>Worse first.</summary>
        [JsonPropertyName("because")]
        public IReadOnlyList<CourseReason> Because { get; set; } = null!;

        /// <summary>What a person has to say first: a reason of attention, or of noTrendReason; empty: nothing.</summary>
        [JsonPropertyName("waitsFor")]
        public IReadOnlyList<string> WaitsFor { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "Course";
    }
}
