// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Against the wound’s photo before.</summary>
    public sealed class FollowUpSummary
    {
        /// <summary>AsOf.</summary>
        [JsonPropertyName("asOf")]
        public string AsOf { get; set; } = null!;

        /// <summary>PreviousJobId.</summary>
        [JsonPropertyName("previousJobId")]
        public string PreviousJobId { get; set; } = null!;

        /// <summary>DaysSincePrevious.</summary>
        [JsonPropertyName("daysSincePrevious")]
        public double? DaysSincePrevious { get; set; }

        /// <summary>Below 0: smaller than then.</summary>
        [JsonPropertyName("areaChangePct")]
        public double? AreaChangePct { get; set; }

        /// <summary>AreaChangeSinceBaselinePct.</summary>
        [JsonPropertyName("areaChangeSinceBaselinePct")]
        public double? AreaChangeSinceBaselinePct { get; set; }

        /// <summary>MinimalDetectableChangePct.</summary>
        [JsonPropertyName("minimalDetectableChangePct")]
        public double? MinimalDetectableChangePct { get; set; }

        /// <summary>BeyondDetectable.</summary>
        [JsonPropertyName("beyondDetectable")]
        public bool? BeyondDetectable { get; set; }

        /// <summary>Warnings.</summary>
        [JsonPropertyName("warnings")]
        public IReadOnlyList<string> Warnings { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "FollowUpSummary";
    }
}
