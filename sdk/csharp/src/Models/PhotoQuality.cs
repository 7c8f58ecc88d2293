// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>How the photo was taken. No figure is changed by it.</summary>
    public sealed class PhotoQuality
    {
        /// <summary>false where another photo should be taken; this one was analysed all the same.</summary>
        [JsonPropertyName("acceptable")]
        public bool? Acceptable { get; set; }

        /// <summary>Steepness of the sharpest edges: about 0.45 for a sharp photo, 0.2 for a blurred one.</summary>
        [JsonPropertyName("sharpness")]
        public double? Sharpness { get; set; }

        /// <summary>Mean lightness L*.</summary>
        [JsonPropertyName("exposure")]
        public double? Exposure { get; set; }

        /// <summary>Share of the photo in small white reflections.</summary>
        [JsonPropertyName("glareShare")]
        public double? GlareShare { get; set; }

        /// <summary>blurred, under_exposed, over_exposed, glare, no_scale, touches_edge, no_wound, open_wounds_only,
        /// multiple_outlines, low_resolution, unfamiliar, oblique, marker_refused, scale_mismatch, scale_implausible,
        /// uncertain, captured_at_from_photo, camera_time_unused, outline_unlikely; more may come.</summary>
        [JsonPropertyName("warnings")]
        public IReadOnlyList<string> Warnings { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "PhotoQuality";
    }
}
