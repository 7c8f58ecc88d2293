// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>What is known of the photo beforehand. Every field is optional.</summary>
    public sealed class UploadRequest
    {
        /// <summary>Type that will be sent; part of the signature when given. One of: image/jpeg, image/png, image/webp.</summary>
        [JsonPropertyName("contentType")]
        public string? ContentType { get; set; }

        /// <summary>Bytes that will be sent; part of the signature when given.</summary>
        [JsonPropertyName("contentLength")]
        public long? ContentLength { get; set; }

        /// <summary>SHA-256 of the bytes in hex; other bytes are refused.</summary>
        [JsonPropertyName("sha256")]
        public string? Sha256 { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "UploadRequest";
    }
}
