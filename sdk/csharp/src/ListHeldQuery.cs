// Generated from docs/openapi.json by "npm run build:sdk:csharp".
namespace Sutura.Sdk
{
    /// <summary>Which items ListHeldAsync gives.</summary>
    public sealed class ListHeldQuery : Query
    {
        /// <summary>For this reason only.</summary>
        public string? Reason { get; set; }

        /// <summary>Only what has waited for so many seconds.</summary>
        public long? OlderThanS { get; set; }

        /// <summary>Items on a page.</summary>
        public long? Limit { get; set; }

        /// <summary>nextCursor of the page before.</summary>
        public string? Cursor { get; set; }

        internal override void Fill(QueryPairs pairs)
        {
            pairs.Put("reason", Reason);
            pairs.Put("olderThanS", OlderThanS);
            pairs.Put("limit", Limit);
            pairs.Put("cursor", Cursor);
        }
    }
}
