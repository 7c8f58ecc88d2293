// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>The scale of the photo. Without it there are no centimetres.</summary>
    public sealed class Calibration
    {
        /// <summary>Of the photo as uploaded, after its EXIF orientation: 0.005 to 5, with which it shows 5 mm to 3 m; else 422.</summary>
        [JsonPropertyName("mmPerPixel")]
        public double? MmPerPixel { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "Calibration";
    }
}
