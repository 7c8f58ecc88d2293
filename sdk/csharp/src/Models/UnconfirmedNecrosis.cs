// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>So much necrosis, by the software alone, that a person should look: 20 points more than last time, or a
    /// quarter of the bed that no clinician ever stated. It changes no verdict and raises no flag; absent: none.</summary>
    public sealed class UnconfirmedNecrosis
    {
        /// <summary>null: no earlier photo whose tissue can be trusted.</summary>
        [JsonPropertyName("fromPct")]
        public double? FromPct { get; set; }

        /// <summary>ToPct.</summary>
        [JsonPropertyName("toPct")]
        public double? ToPct { get; set; }

        /// <summary>0: nothing is compared.</summary>
        [JsonPropertyName("days")]
        public double? Days { get; set; }

        /// <summary>ComparedWithReportId.</summary>
        [JsonPropertyName("comparedWithReportId")]
        public string? ComparedWithReportId { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "UnconfirmedNecrosis";
    }
}
