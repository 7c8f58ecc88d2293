// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>How far the model can be trusted with this photo; quality speaks of the photo alone.</summary>
    public sealed class Familiarity
    {
        /// <summary>Probability that an expert’s outline overlaps with this one to a Dice of 0.7 or more.</summary>
        [JsonPropertyName("score")]
        public double? Score { get; set; }

        /// <summary>Overlap with an expert’s outline to be expected, and the interval that held nine of ten labelled photos.</summary>
        [JsonPropertyName("expectedDice")]
        public FamiliarityExpectedDice ExpectedDice { get; set; } = null!;

        /// <summary>false where the outline is more likely wrong than right: look at it before its figures count.</summary>
        [JsonPropertyName("outlineReliable")]
        public bool? OutlineReliable { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "Familiarity";
    }

    /// <summary>Overlap with an expert’s outline to be expected, and the interval that held nine of ten labelled photos.</summary>
    public sealed class FamiliarityExpectedDice
    {
        /// <summary>Value.</summary>
        [JsonPropertyName("value")]
        public double? Value { get; set; }

        /// <summary>Lower.</summary>
        [JsonPropertyName("lower")]
        public double? Lower { get; set; }

        /// <summary>Upper.</summary>
        [JsonPropertyName("upper")]
        public double? Upper { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "FamiliarityExpectedDice";
    }
}
