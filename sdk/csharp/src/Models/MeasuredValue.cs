// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A value with its bounds. The true value lies between them in nine of ten cases. They hold what the outline and
    /// the scale leave open.</summary>
    public sealed class MeasuredValue
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
        public override string ToString() => "MeasuredValue";
    }
}
