// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>One outline and its measures. Centimetres are on the plane of the skin.</summary>
    public sealed class WoundMeasurement
    {
        /// <summary>0 is the largest outline: the wound of the subject, unless <c>region</c> says otherwise. Pictures and reports
        /// number from 1: index + 1.</summary>
        [JsonPropertyName("index")]
        public long? Index { get; set; }

        /// <summary>That an expert outlines a wound here (overlap of one half or more).</summary>
        [JsonPropertyName("confidence")]
        public double? Confidence { get; set; }

        /// <summary>BoundingBox.</summary>
        [JsonPropertyName("boundingBox")]
        public WoundMeasurementBoundingBox BoundingBox { get; set; } = null!;

        /// <summary>Contour.</summary>
        [JsonPropertyName("contour")]
        public PixelPolygon Contour { get; set; } = null!;

        /// <summary>Area.</summary>
        [JsonPropertyName("area")]
        public MeasuredArea Area { get; set; } = null!;

        /// <summary>Greatest distance across the outline.</summary>
        [JsonPropertyName("length")]
        public MeasuredLength Length { get; set; } = null!;

        /// <summary>Greatest extent perpendicular to the length.</summary>
        [JsonPropertyName("width")]
        public MeasuredLength Width { get; set; } = null!;

        /// <summary>Length of the outer ring.</summary>
        [JsonPropertyName("perimeter")]
        public MeasuredLength Perimeter { get; set; } = null!;

        /// <summary>null where no tissue model is in use.</summary>
        [JsonPropertyName("tissue")]
        public TissueComposition? Tissue { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundMeasurement";
    }

    /// <summary>WoundMeasurementBoundingBox.</summary>
    public sealed class WoundMeasurementBoundingBox
    {
        /// <summary>X.</summary>
        [JsonPropertyName("x")]
        public double? X { get; set; }

        /// <summary>Y.</summary>
        [JsonPropertyName("y")]
        public double? Y { get; set; }

        /// <summary>Width.</summary>
        [JsonPropertyName("width")]
        public double? Width { get; set; }

        /// <summary>Height.</summary>
        [JsonPropertyName("height")]
        public double? Height { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundMeasurementBoundingBox";
    }
}
