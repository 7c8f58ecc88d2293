// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Threading;
using System.Threading.Tasks;
using Sutura.Sdk.Models;

namespace Sutura.Sdk
{
    public sealed partial class SuturaClient
    {
        /// <summary>What waits for a person</summary>
        /// <param name="query">which ones; null: all</param>
        public Task<HeldList> ListHeldAsync(ListHeldQuery? query = null, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<HeldList>(Call.Of("GET", "/api/v1/held").Query(query), cancellationToken, "items");

        /// <summary>What waits for a person: every item of all pages, read when needed.</summary>
        /// <param name="query">which ones; null: all</param>
        public Pages<Held> IterateHeld(ListHeldQuery? query = null) =>
            Pages.Of((cursor, cancellationToken) => calls.JsonAsync<HeldList>(Call.Of("GET", "/api/v1/held").Query(query, cursor), cancellationToken, "items"),
                page => page.Items, page => page.NextCursor);

        /// <summary>One thing that waits</summary>
        public Task<Held> GetHeldAsync(string heldId, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<Held>(Call.Of("GET", $"/api/v1/held/{Segment.Of("heldId", heldId)}"), cancellationToken, "id", "reason");

        /// <summary>Say what is to be done with it</summary>
        public Task<Held> ResolveHeldAsync(string heldId, HeldResolution request, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<Held>(Call.Of("POST", $"/api/v1/held/{Segment.Of("heldId", heldId)}/resolve").Json(request).Once(), cancellationToken, "id", "reason");
    }
}
