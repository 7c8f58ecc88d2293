// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Decision support, not a diagnosis. Fields may be added; ignore those that you do not know.</summary>
    public sealed class WoundResult
    {
        /// <summary>SchemaVersion.</summary>
        [JsonPropertyName("schemaVersion")]
        public string SchemaVersion { get; set; } = null!;

        /// <summary>false is a finding about this photo, and never that a wound has healed.</summary>
        [JsonPropertyName("woundDetected")]
        public bool? WoundDetected { get; set; }

        /// <summary>That woundDetected is true of this photo.</summary>
        [JsonPropertyName("confidence")]
        public double? Confidence { get; set; }

        /// <summary>Quality.</summary>
        [JsonPropertyName("quality")]
        public PhotoQuality Quality { get; set; } = null!;

        /// <summary>null where nothing is outlined or the model states no calibration. Absent in results of older releases.</summary>
        [JsonPropertyName("familiarity")]
        public Familiarity? Familiarity { get; set; }

        /// <summary>Scale.</summary>
        [JsonPropertyName("scale")]
        public ScaleUsed Scale { get; set; } = null!;

        /// <summary>Wounds.</summary>
        [JsonPropertyName("wounds")]
        public IReadOnlyList<WoundMeasurement> Wounds { get; set; } = null!;

        /// <summary>Which outline is the wound of the subject, by subject.region. Absent: none was stated.</summary>
        [JsonPropertyName("region")]
        public WoundResultRegion? Region { get; set; }

        /// <summary>Totals.</summary>
        [JsonPropertyName("totals")]
        public WoundResultTotals Totals { get; set; } = null!;

        /// <summary>null where the operator has not turned scores on.</summary>
        [JsonPropertyName("scores")]
        public WoundResultScores? Scores { get; set; }

        /// <summary>As known when the job completed; the wound’s timeline has the present state. null where there is nothing to
        /// compare with.</summary>
        [JsonPropertyName("followUp")]
        public FollowUpSummary? FollowUp { get; set; }

        /// <summary>Why the report waits for a person, as known when the job completed: site_mismatch, duplicate_photo,
        /// which_outline, no_wound_in_region, area_jump, area_implausible, before_birth, sandbox; empty: it does not. The
        /// report has the present state.</summary>
        [JsonPropertyName("attention")]
        public IReadOnlyList<string>? Attention { get; set; }

        /// <summary>Artifacts.</summary>
        [JsonPropertyName("artifacts")]
        public WoundResultArtifacts Artifacts { get; set; } = null!;

        /// <summary>Which model made this, and how.</summary>
        [JsonPropertyName("trace")]
        public WoundResultTrace Trace { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundResult";
    }

    /// <summary>Which outline is the wound of the subject, by subject.region. Absent: none was stated.</summary>
    public sealed class WoundResultRegion
    {
        /// <summary>Its index; null: no wound lies there.</summary>
        [JsonPropertyName("outline")]
        public long? Outline { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundResultRegion";
    }

    /// <summary>WoundResultTotals.</summary>
    public sealed class WoundResultTotals
    {
        /// <summary>WoundCount.</summary>
        [JsonPropertyName("woundCount")]
        public long? WoundCount { get; set; }

        /// <summary>AreaPixels.</summary>
        [JsonPropertyName("areaPixels")]
        public double? AreaPixels { get; set; }

        /// <summary>AreaCm2.</summary>
        [JsonPropertyName("areaCm2")]
        public double? AreaCm2 { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundResultTotals";
    }

    /// <summary>WoundResultScores.</summary>
    public sealed class WoundResultScores
    {
        /// <summary>Push.</summary>
        [JsonPropertyName("push")]
        public PushScore Push { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundResultScores";
    }

    /// <summary>WoundResultArtifacts.</summary>
    public sealed class WoundResultArtifacts
    {
        /// <summary>Mask.</summary>
        [JsonPropertyName("mask")]
        public ArtifactReference Mask { get; set; } = null!;

        /// <summary>Overlay.</summary>
        [JsonPropertyName("overlay")]
        public ArtifactReference Overlay { get; set; } = null!;

        /// <summary>The tissue of each pixel. Absent where no tissue was told apart, and in earlier results.</summary>
        [JsonPropertyName("tissue")]
        public ArtifactReference? Tissue { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundResultArtifacts";
    }

    /// <summary>Which model made this, and how.</summary>
    public sealed class WoundResultTrace
    {
        /// <summary>SHA-256 of the pixels as they were decoded: the same for a copy saved anew without loss. Absent in earlier
        /// results.</summary>
        [JsonPropertyName("pixelSha256")]
        public string? PixelSha256 { get; set; }

        /// <summary>Models.</summary>
        [JsonPropertyName("models")]
        public IReadOnlyList<ModelUsed> Models { get; set; } = null!;

        /// <summary>ExecutionProvider.</summary>
        [JsonPropertyName("executionProvider")]
        public string ExecutionProvider { get; set; } = null!;

        /// <summary>Preprocessing.</summary>
        [JsonPropertyName("preprocessing")]
        public IReadOnlyDictionary<string, JsonElement> Preprocessing { get; set; } = null!;

        /// <summary>Thresholds.</summary>
        [JsonPropertyName("thresholds")]
        public IReadOnlyDictionary<string, JsonElement> Thresholds { get; set; } = null!;

        /// <summary>How much an area varies where the same wound is photographed anew: one standard deviation in %.</summary>
        [JsonPropertyName("areaRepeatabilityPct")]
        public double? AreaRepeatabilityPct { get; set; }

        /// <summary>TimingsMs.</summary>
        [JsonPropertyName("timingsMs")]
        public IReadOnlyDictionary<string, double> TimingsMs { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "WoundResultTrace";
    }
}
