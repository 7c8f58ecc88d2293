// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Something worth a clinician’s look; never a prediction.</summary>
    public sealed class FollowUpFlag
    {
        /// <summary>area_reduction_below_50_at_4_weeks, area_reduction_below_90_at_8_weeks, area_reduction_below_40_at_4_weeks,
        /// area_growth, area_growth_since_baseline, area_growth_since_smallest, area_growth_by_slope, stalled_14_days,
        /// stalled_28_days, necrosis_rising, reopened, infection_signs_recorded, size_mismatch; more may come.</summary>
        [JsonPropertyName("code")]
        public string Code { get; set; } = null!;

        /// <summary>What was measured: a change in %, by slope in % a week, of a share in percentage points; days since the wound
        /// was closed; number of signs; factor between two sizes.</summary>
        [JsonPropertyName("value")]
        public double? Value { get; set; }

        /// <summary>Holds the true value in nine of ten cases.</summary>
        [JsonPropertyName("interval")]
        public FollowUpFlagInterval? Interval { get; set; }

        /// <summary>Days.</summary>
        [JsonPropertyName("days")]
        public double? Days { get; set; }

        /// <summary>previous, baseline, smallest, earlier or slope.</summary>
        [JsonPropertyName("comparedWith")]
        public string? ComparedWith { get; set; }

        /// <summary>ComparedWithReportId.</summary>
        [JsonPropertyName("comparedWithReportId")]
        public string? ComparedWithReportId { get; set; }

        /// <summary>As a clinician recorded them.</summary>
        [JsonPropertyName("words")]
        public IReadOnlyList<string>? Words { get; set; }

        /// <summary>sheehan-2003, coerper-2009, warriner-2011, phillips-2000, kantor-2000, cardinal-2008: see docs/follow-up.md.</summary>
        [JsonPropertyName("evidence")]
        public IReadOnlyList<string> Evidence { get; set; } = null!;

        /// <summary>diabetic_foot_ulcer or venous_leg_ulcer; null: a plain comparison of two measurements.</summary>
        [JsonPropertyName("evidenceFor")]
        public string? EvidenceFor { get; set; }

        /// <summary>false: the stated kind (neuropathic ulcer; in reports of earlier releases none) may be another one, so whether
        /// the evidence holds is for the reader to judge.</summary>
        [JsonPropertyName("woundTypeKnown")]
        public bool? WoundTypeKnown { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "FollowUpFlag";
    }

    /// <summary>FollowUpFlagInterval.</summary>
    public sealed class FollowUpFlagInterval
    {
        /// <summary>Lower.</summary>
        [JsonPropertyName("lower")]
        public double? Lower { get; set; }

        /// <summary>Upper.</summary>
        [JsonPropertyName("upper")]
        public double? Upper { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "FollowUpFlagInterval";
    }
}
