// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>One photo in the series of its wound, as it stands now.</summary>
    public sealed class TimelineAssessment
    {
        /// <summary>In the whole series, oldest photo first; the same for all analyses of one photo.</summary>
        [JsonPropertyName("sequence")]
        public long? Sequence { get; set; }

        /// <summary>CapturedAt.</summary>
        [JsonPropertyName("capturedAt")]
        public string CapturedAt { get; set; } = null!;

        /// <summary>capturedAt as its sender stated it: with their offset, or a day (2026-11-27), month or year alone, to which
        /// nobody said an hour; capturedAt is then where it begins. Absent: nothing was stated.</summary>
        [JsonPropertyName("capturedAsStated")]
        public string? CapturedAsStated { get; set; }

        /// <summary>JobId.</summary>
        [JsonPropertyName("jobId")]
        public string JobId { get; set; } = null!;

        /// <summary>ImageId.</summary>
        [JsonPropertyName("imageId")]
        public string ImageId { get; set; } = null!;

        /// <summary>ReportId.</summary>
        [JsonPropertyName("reportId")]
        public string ReportId { get; set; } = null!;

        /// <summary>ReportVersion.</summary>
        [JsonPropertyName("reportVersion")]
        public long? ReportVersion { get; set; }

        /// <summary>preliminary, final, amended or corrected.</summary>
        [JsonPropertyName("reportStatus")]
        public string ReportStatus { get; set; } = null!;

        /// <summary>WoundDetected.</summary>
        [JsonPropertyName("woundDetected")]
        public bool? WoundDetected { get; set; }

        /// <summary>null without an outline or a scale.</summary>
        [JsonPropertyName("areaCm2")]
        public MeasuredValue? AreaCm2 { get; set; }

        /// <summary>LengthCm.</summary>
        [JsonPropertyName("lengthCm")]
        public MeasuredValue? LengthCm { get; set; }

        /// <summary>WidthCm.</summary>
        [JsonPropertyName("widthCm")]
        public MeasuredValue? WidthCm { get; set; }

        /// <summary>PerimeterCm.</summary>
        [JsonPropertyName("perimeterCm")]
        public MeasuredValue? PerimeterCm { get; set; }

        /// <summary>AreaPixels.</summary>
        [JsonPropertyName("areaPixels")]
        public double? AreaPixels { get; set; }

        /// <summary>Tissue.</summary>
        [JsonPropertyName("tissue")]
        public TissueComposition? Tissue { get; set; }

        /// <summary>Those whose share a clinician stated.</summary>
        [JsonPropertyName("confirmedTissues")]
        public IReadOnlyList<string> ConfirmedTissues { get; set; } = null!;

        /// <summary>Quality.</summary>
        [JsonPropertyName("quality")]
        public PhotoQuality Quality { get; set; } = null!;

        /// <summary>ScaleSource.</summary>
        [JsonPropertyName("scaleSource")]
        public string ScaleSource { get; set; } = null!;

        /// <summary>Model.</summary>
        [JsonPropertyName("model")]
        public string Model { get; set; } = null!;

        /// <summary>model, reviewer_choice or reviewer_contour.</summary>
        [JsonPropertyName("outlineSource")]
        public string OutlineSource { get; set; } = null!;

        /// <summary>no_wound_outlined, multiple_outlines, no_scale, day_unknown, awaiting_confirmation or superseded; null: the
        /// area stands in the series.</summary>
        [JsonPropertyName("noTrendReason")]
        public string? NoTrendReason { get; set; }

        /// <summary>site_mismatch, duplicate_photo, which_outline, no_wound_in_region, area_jump, area_implausible, before_birth,
        /// sandbox: a person accepts, corrects, rejects or reassigns it first; empty: does not wait.</summary>
        [JsonPropertyName("attention")]
        public IReadOnlyList<string> Attention { get; set; } = null!;

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

        /// <summary>slope or pair.</summary>
        [JsonPropertyName("trendBasis")]
        public string? TrendBasis { get; set; }

        /// <summary>The report of the same photo that stands in place of this one.</summary>
        [JsonPropertyName("supersededBy")]
        public string? SupersededBy { get; set; }

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

        /// <summary>smaller, larger or within_detectable_change; null where two photos are not comparable.</summary>
        [JsonPropertyName("trend")]
        public string? Trend { get; set; }

        /// <summary>null in reports by rules 1 to 3.</summary>
        [JsonPropertyName("course")]
        public Course? Course { get; set; }

        /// <summary>Flags.</summary>
        [JsonPropertyName("flags")]
        public IReadOnlyList<FollowUpFlag> Flags { get; set; } = null!;

        /// <summary>Links.</summary>
        [JsonPropertyName("links")]
        public TimelineAssessmentLinks Links { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"TimelineAssessment[imageId={ImageId}]";
    }

    /// <summary>TimelineAssessmentLinks.</summary>
    public sealed class TimelineAssessmentLinks
    {
        /// <summary>Job.</summary>
        [JsonPropertyName("job")]
        public string Job { get; set; } = null!;

        /// <summary>Report.</summary>
        [JsonPropertyName("report")]
        public string Report { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "TimelineAssessmentLinks";
    }
}
