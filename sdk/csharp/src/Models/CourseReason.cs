// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>One finding that the verdict rests on.</summary>
    public sealed class CourseReason
    {
        /// <summary>area, depth, undermining, tunnelling, tissue, exudate, odour, pain, periwound, edges, infection or stage; more
        /// may come.</summary>
        [JsonPropertyName("domain")]
        public string Domain { get; set; } = null!;

        /// <summary>What changed within its domain; docs/follow-up.md lists the codes.</summary>
        [JsonPropertyName("what")]
        public string What { get; set; } = null!;

        /// <summary>better, worse, persists: no wound that has it is improving; or reset: a treatment, a joining or a splitting
        /// changed it.</summary>
        [JsonPropertyName("direction")]
        public string Direction { get; set; } = null!;

        /// <summary>A figure in <c>unit</c>, or a word of the contract; null: not stated then.</summary>
        [JsonPropertyName("from")]
        public JsonElement? From { get; set; }

        /// <summary>As <c>from</c>.</summary>
        [JsonPropertyName("to")]
        public JsonElement? To { get; set; }

        /// <summary>cm2, cm, percent, of_ten or count; null: words of the contract.</summary>
        [JsonPropertyName("unit")]
        public string? Unit { get; set; }

        /// <summary>0: nothing is compared.</summary>
        [JsonPropertyName("days")]
        public double? Days { get; set; }

        /// <summary>Of the change of the area in %, by slope in % a week (90 %).</summary>
        [JsonPropertyName("interval")]
        public CourseReasonInterval? Interval { get; set; }

        /// <summary>ComparedWithReportId.</summary>
        [JsonPropertyName("comparedWithReportId")]
        public string? ComparedWithReportId { get; set; }

        /// <summary>Of coded signs of infection: those that are there.</summary>
        [JsonPropertyName("signs")]
        public IReadOnlyList<string>? Signs { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "CourseReason";
    }

    /// <summary>CourseReasonInterval.</summary>
    public sealed class CourseReasonInterval
    {
        /// <summary>Lower.</summary>
        [JsonPropertyName("lower")]
        public double? Lower { get; set; }

        /// <summary>Upper.</summary>
        [JsonPropertyName("upper")]
        public double? Upper { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "CourseReasonInterval";
    }
}
