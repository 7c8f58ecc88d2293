// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>PUSH Tool 3.0, where the operator has turned it on.</summary>
    public sealed class PushScore
    {
        /// <summary>0 to 10, from the length and width that the clinician gave; never from the photo.</summary>
        [JsonPropertyName("area")]
        public long? Area { get; set; }

        /// <summary>0 to 4, from the worst tissue that a clinician confirmed.</summary>
        [JsonPropertyName("tissue")]
        public long? Tissue { get; set; }

        /// <summary>0 to 3, from the clinician.</summary>
        [JsonPropertyName("exudate")]
        public long? Exudate { get; set; }

        /// <summary>0 to 17; only where all three are known.</summary>
        [JsonPropertyName("total")]
        public long? Total { get; set; }

        /// <summary>Missing.</summary>
        [JsonPropertyName("missing")]
        public IReadOnlyList<string> Missing { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "PushScore";
    }
}
