// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>What the photo says of the wound, after what people corrected.</summary>
    public sealed class AssessmentFindings
    {
        /// <summary>The oriented photo.</summary>
        [JsonPropertyName("photo")]
        public AssessmentFindingsPhoto Photo { get; set; } = null!;

        /// <summary>WoundDetected.</summary>
        [JsonPropertyName("woundDetected")]
        public bool? WoundDetected { get; set; }

        /// <summary>Those that belong to the wound.</summary>
        [JsonPropertyName("outlines")]
        public IReadOnlyList<PixelPolygon> Outlines { get; set; } = null!;

        /// <summary>model, reviewer_choice or reviewer_contour.</summary>
        [JsonPropertyName("outlineSource")]
        public string OutlineSource { get; set; } = null!;

        /// <summary>Found in the photo and not counted.</summary>
        [JsonPropertyName("otherOutlines")]
        public long? OtherOutlines { get; set; }

        /// <summary>Every outline of the photo, where there are several. Earlier reports lack it.</summary>
        [JsonPropertyName("wounds")]
        public IReadOnlyList<WoundInPhoto>? Wounds { get; set; }

        /// <summary>Several outlines compete and nobody has said which belong: no trend is made from this photo.</summary>
        [JsonPropertyName("ambiguous")]
        public bool? Ambiguous { get; set; }

        /// <summary>Of several outlines area and perimeter are sums, length and width those of the largest. null without an
        /// outline.</summary>
        [JsonPropertyName("figures")]
        public AssessmentFindingsFigures? Figures { get; set; }

        /// <summary>Tissue.</summary>
        [JsonPropertyName("tissue")]
        public TissueComposition? Tissue { get; set; }

        /// <summary>Those whose share a clinician stated.</summary>
        [JsonPropertyName("confirmedTissues")]
        public IReadOnlyList<string> ConfirmedTissues { get; set; } = null!;

        /// <summary>Push.</summary>
        [JsonPropertyName("push")]
        public PushScore? Push { get; set; }

        /// <summary>null where a person drew the outline.</summary>
        [JsonPropertyName("confidence")]
        public double? Confidence { get; set; }

        /// <summary>Quality.</summary>
        [JsonPropertyName("quality")]
        public PhotoQuality Quality { get; set; } = null!;

        /// <summary>Of the model’s outline, whoever drew the present one. Absent in reports of older releases.</summary>
        [JsonPropertyName("familiarity")]
        public Familiarity? Familiarity { get; set; }

        /// <summary>Scale.</summary>
        [JsonPropertyName("scale")]
        public ScaleUsed Scale { get; set; } = null!;

        /// <summary>How much an area varies where nothing but the photo changes: one standard deviation, in %.</summary>
        [JsonPropertyName("areaRepeatabilityPct")]
        public double? AreaRepeatabilityPct { get; set; }

        /// <summary>Model.</summary>
        [JsonPropertyName("model")]
        public string Model { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "AssessmentFindings";
    }

    /// <summary>The oriented photo.</summary>
    public sealed class AssessmentFindingsPhoto
    {
        /// <summary>WidthPx.</summary>
        [JsonPropertyName("widthPx")]
        public long? WidthPx { get; set; }

        /// <summary>HeightPx.</summary>
        [JsonPropertyName("heightPx")]
        public long? HeightPx { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "AssessmentFindingsPhoto";
    }

    /// <summary>AssessmentFindingsFigures.</summary>
    public sealed class AssessmentFindingsFigures
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
        public override string ToString() => "AssessmentFindingsFigures";
    }
}
