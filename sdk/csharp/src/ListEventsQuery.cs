// Generated from docs/openapi.json by "npm run build:sdk:csharp".
namespace Sutura.Sdk
{
    /// <summary>Which items ListEventsAsync gives.</summary>
    public sealed class ListEventsQuery : Query
    {
        /// <summary>Only events of this type.</summary>
        public string? Type { get; set; }

        /// <summary>Only events that came into the log then or later, by recordedAt; RFC 3339 with an offset. Default: all of the
        /// 30 days.</summary>
        public string? Since { get; set; }

        /// <summary>Most events on the page.</summary>
        public long? Limit { get; set; }

        /// <summary>The nextCursor of the page before, with the same filters.</summary>
        public string? Cursor { get; set; }

        internal override void Fill(QueryPairs pairs)
        {
            pairs.Put("type", Type);
            pairs.Put("since", Since);
            pairs.Put("limit", Limit);
            pairs.Put("cursor", Cursor);
        }
    }
}
