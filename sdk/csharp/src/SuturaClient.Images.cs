// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Threading;
using System.Threading.Tasks;
using Sutura.Sdk.Models;

namespace Sutura.Sdk
{
    public sealed partial class SuturaClient
    {
        /// <summary>Ask for a signed upload URL</summary>
        public Task<UploadTicket> GetUploadUrlAsync(UploadRequest? request = null, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<UploadTicket>(Call.Of("POST", "/api/v1/images/upload-url").Json(request), cancellationToken, "imageId", "uploadUrl");

        /// <summary>Read what is known of a photo</summary>
        public Task<ImageMetadata> GetImageAsync(string imageId, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<ImageMetadata>(Call.Of("GET", $"/api/v1/images/{Segment.Of("imageId", imageId)}"), cancellationToken, "imageId", "status");
    }
}
