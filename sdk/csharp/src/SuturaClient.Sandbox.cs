// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Threading;
using System.Threading.Tasks;
using Sutura.Sdk.Models;

namespace Sutura.Sdk
{
    public sealed partial class SuturaClient
    {
        /// <summary>The clock of the test environment</summary>
        public Task<SandboxClock> GetSandboxClockAsync(CancellationToken cancellationToken = default) =>
            calls.JsonAsync<SandboxClock>(Call.Of("GET", "/api/v1/sandbox/clock"), cancellationToken, "now");

        /// <summary>Move the clock of the test environment ahead</summary>
        /// <param name="idempotencyKey">the same for every repeat of this; null: a new one</param>
        public Task<SandboxClock> MoveSandboxClockAsync(SandboxClockRequest request, string? idempotencyKey = null, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<SandboxClock>(Call.Of("POST", "/api/v1/sandbox/clock").Json(request).Key(idempotencyKey), cancellationToken, "now");
    }
}
