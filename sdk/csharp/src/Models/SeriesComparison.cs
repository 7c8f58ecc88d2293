// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Against the wound’s earlier photos.</summary>
    public sealed class SeriesComparison
    {
        /// <summary>no_wound_outlined, multiple_outlines, no_scale, day_unknown, awaiting_confirmation, superseded or withdrawn;
        /// null: the area stands in the series.</summary>
        [JsonPropertyName("noTrendReason")]
        public string? NoTrendReason { get; set; }

        /// <summary>Edition of the rules of docs/follow-up.md; 1 is that of release 0.1.</summary>
        [JsonPropertyName("rules")]
        public long? Rules { get; set; }

        /// <summary>site_mismatch, duplicate_photo, which_outline, no_wound_in_region, area_jump, area_implausible, before_birth,
        /// sandbox: a person accepts, corrects, rejects or reassigns it first; empty: does not wait.</summary>
        [JsonPropertyName("attention")]
        public IReadOnlyList<string> Attention { get; set; } = null!;

        /// <summary>The photo before, measured or not.</summary>
        [JsonPropertyName("previousAssessment")]
        public AssessmentLink? PreviousAssessment { get; set; }

        /// <summary>The last assessment that this one can be compared with, safely where there is one.</summary>
        [JsonPropertyName("previous")]
        public SeriesPoint? Previous { get; set; }

        /// <summary>The first area, since the wound was last closed.</summary>
        [JsonPropertyName("baseline")]
        public SeriesPoint? Baseline { get; set; }

        /// <summary>The smallest area before this one that it is safely compared with.</summary>
        [JsonPropertyName("smallest")]
        public SeriesPoint? Smallest { get; set; }

        /// <summary>SincePrevious.</summary>
        [JsonPropertyName("sincePrevious")]
        public AreaChange? SincePrevious { get; set; }

        /// <summary>SinceBaseline.</summary>
        [JsonPropertyName("sinceBaseline")]
        public AreaChange? SinceBaseline { get; set; }

        /// <summary>SinceSmallest.</summary>
        [JsonPropertyName("sinceSmallest")]
        public AreaChange? SinceSmallest { get; set; }

        /// <summary>Slope.</summary>
        [JsonPropertyName("slope")]
        public AreaSlope? Slope { get; set; }

        /// <summary>smaller, larger or within_detectable_change; null where the two are not comparable.</summary>
        [JsonPropertyName("trend")]
        public string? Trend { get; set; }

        /// <summary>slope, where there are three comparable assessments, else pair.</summary>
        [JsonPropertyName("trendBasis")]
        public string? TrendBasis { get; set; }

        /// <summary>The report of the same photo that stands in place of this one.</summary>
        [JsonPropertyName("supersededBy")]
        public string? SupersededBy { get; set; }

        /// <summary>The report of the same photo that this one stands in place of.</summary>
        [JsonPropertyName("supersedes")]
        public string? Supersedes { get; set; }

        /// <summary>Closure.</summary>
        [JsonPropertyName("closure")]
        public WoundClosure? Closure { get; set; }

        /// <summary>Of the patient on the photo, by the birth date of their record: newborn (under a month), infant (under a
        /// year), under_5, under_10, under_15 or under_18; absent: an adult, or no birth date is known.</summary>
        [JsonPropertyName("ageGroup")]
        public string? AgeGroup { get; set; }

        /// <summary>Reset.</summary>
        [JsonPropertyName("reset")]
        public AreaReset? Reset { get; set; }

        /// <summary>Relation.</summary>
        [JsonPropertyName("relation")]
        public AreaRelation? Relation { get; set; }

        /// <summary>UnconfirmedNecrosis.</summary>
        [JsonPropertyName("unconfirmedNecrosis")]
        public UnconfirmedNecrosis? UnconfirmedNecrosis { get; set; }

        /// <summary>Of what wound.attention tells: codes of flags, the verdict, what is worse and unconfirmed_necrosis, where an
        /// earlier photo has told it; absent: nothing.</summary>
        [JsonPropertyName("raisedBefore")]
        public IReadOnlyList<string>? RaisedBefore { get; set; }

        /// <summary>Absent in reports by rules 1 to 3.</summary>
        [JsonPropertyName("course")]
        public Course? Course { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "SeriesComparison";
    }
}
