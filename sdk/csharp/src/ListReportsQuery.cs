// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;

namespace Sutura.Sdk
{
    /// <summary>Which items ListReportsAsync gives.</summary>
    public sealed class ListReportsQuery : Query
    {
        /// <summary>Most reports on the page.</summary>
        public long? Limit { get; set; }

        /// <summary>The nextCursor of the page before, with the same filters.</summary>
        public string? Cursor { get; set; }

        /// <summary>Only reports whose job has this pair in its metadata, each pair as a parameter metadata.KEY=VALUE:
        /// metadata.case=4711. At most 4 pairs, all of which one job has.</summary>
        public Dictionary<string, string> Metadata { get; } = new Dictionary<string, string>();

        internal override void Fill(QueryPairs pairs)
        {
            pairs.Put("limit", Limit);
            pairs.Put("cursor", Cursor);
            pairs.PutAll("metadata", Metadata);
        }
    }
}
