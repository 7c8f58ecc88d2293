// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;

namespace Sutura.Sdk
{
    /// <summary>Which items ListJobsAsync gives.</summary>
    public sealed class ListJobsQuery : Query
    {
        /// <summary>Only jobs in this state.</summary>
        public string? Status { get; set; }

        /// <summary>Only jobs of this patient, by your identifier.</summary>
        public string? PatientId { get; set; }

        /// <summary>Only jobs of this wound, by your identifier.</summary>
        public string? WoundId { get; set; }

        /// <summary>Only jobs created after this moment.</summary>
        public string? CreatedAfter { get; set; }

        /// <summary>Most jobs on the page.</summary>
        public long? Limit { get; set; }

        /// <summary>The nextCursor of the page before, with the same filters.</summary>
        public string? Cursor { get; set; }

        /// <summary>Only jobs with this pair in their metadata, each pair as a parameter metadata.KEY=VALUE: metadata.case=4711.
        /// At most 4 pairs, all of which one job has.</summary>
        public Dictionary<string, string> Metadata { get; } = new Dictionary<string, string>();

        internal override void Fill(QueryPairs pairs)
        {
            pairs.Put("status", Status);
            pairs.Put("patientId", PatientId);
            pairs.Put("woundId", WoundId);
            pairs.Put("createdAfter", CreatedAfter);
            pairs.Put("limit", Limit);
            pairs.Put("cursor", Cursor);
            pairs.PutAll("metadata", Metadata);
        }
    }
}
