// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>What the service knows of one photo, without the photo.</summary>
    public sealed class ImageMetadata
    {
        /// <summary>ImageId.</summary>
        [JsonPropertyName("imageId")]
        public string ImageId { get; set; } = null!;

        /// <summary>awaiting_upload or stored. Where photos go straight to an object store, stored once a job was created or a
        /// FHIR resource named the photo.</summary>
        [JsonPropertyName("status")]
        public string Status { get; set; } = null!;

        /// <summary>By the bytes, whatever was announced; null until they are stored, as the others that they say.</summary>
        [JsonPropertyName("contentType")]
        public string? ContentType { get; set; }

        /// <summary>SizeBytes.</summary>
        [JsonPropertyName("sizeBytes")]
        public long? SizeBytes { get; set; }

        /// <summary>In hex.</summary>
        [JsonPropertyName("sha256")]
        public string? Sha256 { get; set; }

        /// <summary>In pixels, after the EXIF orientation; null for a file that cannot be read, too.</summary>
        [JsonPropertyName("width")]
        public long? Width { get; set; }

        /// <summary>Height.</summary>
        [JsonPropertyName("height")]
        public long? Height { get; set; }

        /// <summary>false: no job can be created, 422 image.unreadable or image.damaged.</summary>
        [JsonPropertyName("readable")]
        public bool? Readable { get; set; }

        /// <summary>broken, damaged, too_small, too_many_pixels, too_narrow or animated; more may come.</summary>
        [JsonPropertyName("unreadableReason")]
        public string? UnreadableReason { get; set; }

        /// <summary>One of: test, live.</summary>
        [JsonPropertyName("environment")]
        public string Environment { get; set; } = null!;

        /// <summary>When the upload address was asked for, or the photo came in a message.</summary>
        [JsonPropertyName("createdAt")]
        public string CreatedAt { get; set; } = null!;

        /// <summary>StoredAt.</summary>
        [JsonPropertyName("storedAt")]
        public string? StoredAt { get; set; }

        /// <summary>When the upload address stops working.</summary>
        [JsonPropertyName("uploadExpiresAt")]
        public string UploadExpiresAt { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"ImageMetadata[imageId={ImageId}]";
    }
}
