// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>One of several outlines of a photo.</summary>
    public sealed class WoundInPhoto
    {
        /// <summary>1 is the largest; it stands beside the outline in pictures: index + 1.</summary>
        [JsonPropertyName("number")]
        public long? Number { get; set; }

        /// <summary>The figures of the report are of those that count.</summary>
        [JsonPropertyName("counted")]
        public bool? Counted { get; set; }

        /// <summary>Figures.</summary>
        [JsonPropertyName("figures")]
        public WoundInPhotoFigures Figures { get; set; } = null!;

        /// <summary>null where a person drew the outline.</summary>
        [JsonPropertyName("confidence")]
        public double? Confidence { get; set; }

        /// <summary>Tissue.</summary>
        [JsonPropertyName("tissue")]
        public TissueComposition? Tissue { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundInPhoto";
    }

    /// <summary>WoundInPhotoFigures.</summary>
    public sealed class WoundInPhotoFigures
    {
        /// <summary>Area.</summary>
        [JsonPropertyName("area")]
        public MeasuredArea Area { get; set; } = null!;

        /// <summary>Length.</summary>
        [JsonPropertyName("length")]
        public MeasuredLength Length { get; set; } = null!;

        /// <summary>Width.</summary>
        [JsonPropertyName("width")]
        public MeasuredLength Width { get; set; } = null!;

        /// <summary>Perimeter.</summary>
        [JsonPropertyName("perimeter")]
        public MeasuredLength Perimeter { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundInPhotoFigures";
    }
}
