// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>Where and how to upload one photo.</summary>
    public sealed class UploadTicket
    {
        /// <summary>Names the image from now on.</summary>
        [JsonPropertyName("imageId")]
        public string ImageId { get; set; } = null!;

        /// <summary>Signed address for the PUT of the bytes.</summary>
        [JsonPropertyName("uploadUrl")]
        public string UploadUrl { get; set; } = null!;

        /// <summary>Method.</summary>
        [JsonPropertyName("method")]
        public string Method { get; set; } = null!;

        /// <summary>Headers to send with the PUT, exactly as given.</summary>
        [JsonPropertyName("headers")]
        public IReadOnlyDictionary<string, string> Headers { get; set; } = null!;

        /// <summary>When the address stops working.</summary>
        [JsonPropertyName("expiresAt")]
        public string ExpiresAt { get; set; } = null!;

        /// <summary>Largest photo in bytes.</summary>
        [JsonPropertyName("maxBytes")]
        public long? MaxBytes { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"UploadTicket[imageId={ImageId}]";
    }
}
