// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Threading;
using System.Threading.Tasks;
using Sutura.Sdk.Models;

namespace Sutura.Sdk
{
    public sealed partial class SuturaClient
    {
        /// <summary>Read the use of the daily quota</summary>
        public Task<Usage> GetUsageAsync(CancellationToken cancellationToken = default) =>
            calls.JsonAsync<Usage>(Call.Of("GET", "/api/v1/usage"), cancellationToken, "remaining");
    }
}
