// Generated from docs/openapi.json by "npm run build:sdk:csharp".
namespace Sutura.Sdk
{
    /// <summary>Which items ListWebhookDeliveriesAsync gives.</summary>
    public sealed class ListWebhookDeliveriesQuery : Query
    {
        /// <summary>Only deliveries in this state.</summary>
        public string? State { get; set; }

        /// <summary>Limit.</summary>
        public long? Limit { get; set; }

        /// <summary>nextCursor of the page before.</summary>
        public string? Cursor { get; set; }

        internal override void Fill(QueryPairs pairs)
        {
            pairs.Put("state", State);
            pairs.Put("limit", Limit);
            pairs.Put("cursor", Cursor);
        }
    }
}
