// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>What happened in the last 30 days, oldest first.</summary>
    public sealed class EventList
    {
        /// <summary>In the order in which they came into the log, oldest first.</summary>
        [JsonPropertyName("items")]
        public IReadOnlyList<LoggedEvent> Items { get; set; } = null!;

        /// <summary>For the next page; null at the end.</summary>
        [JsonPropertyName("nextCursor")]
        public string? NextCursor { get; set; }

        /// <summary>Where to go on: the nextCursor while there is one, then a cursor behind all that the log has. With it nothing
        /// comes twice, and nothing that comes into the log is missed, also after the service was restored from a
        /// back-up; what was lost with the time since that back-up is not told, and what is done again then may come
        /// again, with the id that it had.</summary>
        [JsonPropertyName("resumeCursor")]
        public string ResumeCursor { get; set; } = null!;

        /// <summary>The log has what happened from then on, but what was erased. A later moment than your since: there may be more
        /// that you missed.</summary>
        [JsonPropertyName("keptSince")]
        public string KeptSince { get; set; } = null!;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "EventList";
    }
}
