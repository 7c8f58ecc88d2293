// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A sign that was looked for, and whether it was there. What nobody looked for is left out.</summary>
    public sealed class StatedSign
    {
        /// <summary>One of: warmth, erythema, spreading_erythema, swelling, purulent_exudate, increased_exudate, increased_pain,
        /// odour, friable_granulation, debris, enlarging, new_breakdown, probes_to_bone, delayed_healing, fever,
        /// lymphangitis.</summary>
        [JsonPropertyName("sign")]
        public string? Sign { get; set; }

        /// <summary>One of: present, absent.</summary>
        [JsonPropertyName("status")]
        public string? Status { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "StatedSign";
    }
}
