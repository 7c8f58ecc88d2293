// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Photos of one wound, sent in their order for one patient and wound.</summary>
    public sealed class SampleSeries
    {
        /// <summary>Name.</summary>
        [JsonPropertyName("name")]
        public string Name { get; set; } = null!;

        /// <summary>Between the capturedAt of one photo and the next.</summary>
        [JsonPropertyName("daysApart")]
        public long? DaysApart { get; set; }

        /// <summary>Of the last report.</summary>
        [JsonPropertyName("seen")]
        public SampleSeriesSeen Seen { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "SampleSeries";
    }

    /// <summary>Of the last report.</summary>
    public sealed class SampleSeriesSeen
    {
        /// <summary>Verdict.</summary>
        [JsonPropertyName("verdict")]
        public string Verdict { get; set; } = null!;

        /// <summary>Flags.</summary>
        [JsonPropertyName("flags")]
        public IReadOnlyList<string> Flags { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "SampleSeriesSeen";
    }
}
