// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;

namespace Sutura.Sdk
{
    /// <summary>Which items ListWoundsAsync gives.</summary>
    public sealed class ListWoundsQuery : Query
    {
        /// <summary>Only wounds of this patient, by your identifier.</summary>
        public string? PatientId { get; set; }

        /// <summary>Only wounds with this identifier of yours.</summary>
        public string? WoundId { get; set; }

        /// <summary>Only wounds in this state.</summary>
        public string? Status { get; set; }

        /// <summary>false: only those whose assessment named no wound.</summary>
        public bool? Linked { get; set; }

        /// <summary>true: only wounds with a report that waits for a person.</summary>
        public bool? Attention { get; set; }

        /// <summary>Most wounds on the page.</summary>
        public long? Limit { get; set; }

        /// <summary>The nextCursor of the page before, with the same filters.</summary>
        public string? Cursor { get; set; }

        /// <summary>Only wounds with a photo whose job has this pair in its metadata, and those that such a wound was joined into,
        /// each pair as a parameter metadata.KEY=VALUE: metadata.case=4711. At most 4 pairs, all of which one job has.</summary>
        public Dictionary<string, string> Metadata { get; } = new Dictionary<string, string>();

        internal override void Fill(QueryPairs pairs)
        {
            pairs.Put("patientId", PatientId);
            pairs.Put("woundId", WoundId);
            pairs.Put("status", Status);
            pairs.Put("linked", Linked);
            pairs.Put("attention", Attention);
            pairs.Put("limit", Limit);
            pairs.Put("cursor", Cursor);
            pairs.PutAll("metadata", Metadata);
        }
    }
}
