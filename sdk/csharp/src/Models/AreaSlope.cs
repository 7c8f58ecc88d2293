// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>The course of the area over at least three comparable assessments.</summary>
    public sealed class AreaSlope
    {
        /// <summary>That it rests on, this one included.</summary>
        [JsonPropertyName("assessments")]
        public long? Assessments { get; set; }

        /// <summary>From the first of them to this one: at most 56.</summary>
        [JsonPropertyName("days")]
        public double? Days { get; set; }

        /// <summary>Change of the area in % a week, with its 90 % interval; below 0 it shrinks.</summary>
        [JsonPropertyName("pctPerWeek")]
        public AreaSlopePctPerWeek PctPerWeek { get; set; } = null!;

        /// <summary>Below 0: the margin retreats.</summary>
        [JsonPropertyName("marginAdvanceMmPerDay")]
        public AreaSlopeMarginAdvanceMmPerDay? MarginAdvanceMmPerDay { get; set; }

        /// <summary>The 97 % interval lies above 0, of areas that treatments left that of 99 %; 95 % by rules 1 to 3.</summary>
        [JsonPropertyName("isGrowth")]
        public bool? IsGrowth { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "AreaSlope";
    }

    /// <summary>Change of the area in % a week, with its 90 % interval; below 0 it shrinks.</summary>
    public sealed class AreaSlopePctPerWeek
    {
        /// <summary>Lower.</summary>
        [JsonPropertyName("lower")]
        public double? Lower { get; set; }

        /// <summary>Upper.</summary>
        [JsonPropertyName("upper")]
        public double? Upper { get; set; }

        /// <summary>Value.</summary>
        [JsonPropertyName("value")]
        public double? Value { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "AreaSlopePctPerWeek";
    }

    /// <summary>AreaSlopeMarginAdvanceMmPerDay.</summary>
    public sealed class AreaSlopeMarginAdvanceMmPerDay
    {
        /// <summary>Lower.</summary>
        [JsonPropertyName("lower")]
        public double? Lower { get; set; }

        /// <summary>Upper.</summary>
        [JsonPropertyName("upper")]
        public double? Upper { get; set; }

        /// <summary>Value.</summary>
        [JsonPropertyName("value")]
        public double? Value { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "AreaSlopeMarginAdvanceMmPerDay";
    }
}
