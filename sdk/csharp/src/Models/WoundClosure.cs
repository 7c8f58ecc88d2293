// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A person had closed the wound before this photo was taken.</summary>
    public sealed class WoundClosure
    {
        /// <summary>ClosedAt.</summary>
        [JsonPropertyName("closedAt")]
        public string ClosedAt { get; set; } = null!;

        /// <summary>null: nobody has reopened it.</summary>
        [JsonPropertyName("reopenedAt")]
        public string? ReopenedAt { get; set; }

        /// <summary>Absent: not said, which counts as other. One of: healed, amputated, grafted, merged, transferred, died,
        /// entered_in_error, other.</summary>
        [JsonPropertyName("reason")]
        public string? Reason { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundClosure";
    }
}
