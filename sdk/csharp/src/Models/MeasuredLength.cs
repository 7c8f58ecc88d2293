// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>In the photo, and on the plane of the skin.</summary>
    public sealed class MeasuredLength
    {
        /// <summary>Pixels.</summary>
        [JsonPropertyName("pixels")]
        public double? Pixels { get; set; }

        /// <summary>null where the photo has no scale: nothing is invented.</summary>
        [JsonPropertyName("cm")]
        public MeasuredValue? Cm { get; set; }

        /// <summary>The ends of a length or width, in pixels of the oriented photo: what to draw. A perimeter has none, and so
        /// have results from before lines were kept.</summary>
        [JsonPropertyName("line")]
        public IReadOnlyList<IReadOnlyList<double>>? Line { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "MeasuredLength";
    }
}
