// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Threading;
using System.Threading.Tasks;
using Sutura.Sdk.Models;

namespace Sutura.Sdk
{
    public sealed partial class SuturaClient
    {
        /// <summary>What happened, to catch up from</summary>
        /// <param name="query">which ones; null: all</param>
        public Task<EventList> ListEventsAsync(ListEventsQuery? query = null, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<EventList>(Call.Of("GET", "/api/v1/events").Query(query), cancellationToken, "items", "keptSince");

        /// <summary>What happened, to catch up from: every item of all pages, read when needed.</summary>
        /// <param name="query">which ones; null: all</param>
        public Pages<LoggedEvent> IterateEvents(ListEventsQuery? query = null) =>
            Pages.Of((cursor, cancellationToken) => calls.JsonAsync<EventList>(Call.Of("GET", "/api/v1/events").Query(query, cursor), cancellationToken, "items", "keptSince"),
                page => page.Items, page => page.NextCursor);
    }
}
