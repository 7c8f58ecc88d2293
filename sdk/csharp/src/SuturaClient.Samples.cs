// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Threading;
using System.Threading.Tasks;
using Sutura.Sdk.Models;

namespace Sutura.Sdk
{
    public sealed partial class SuturaClient
    {
        /// <summary>Photos to test an integration with</summary>
        public Task<SampleList> ListSamplesAsync(CancellationToken cancellationToken = default) =>
            calls.JsonAsync<SampleList>(Call.Of("GET", "/api/v1/samples"), cancellationToken, "items");

        /// <summary>One of these photos</summary>
        public Task<byte[]> DownloadSampleAsync(string name, CancellationToken cancellationToken = default) =>
            calls.BytesAsync(Call.Of("GET", $"/api/v1/samples/{Segment.Of("name", name)}"), "image/jpeg", cancellationToken);
    }
}
