// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace Sutura.Sdk.Models
{
    /// <summary>A link to the review desk.</summary>
    public sealed class ReviewLinkRequest
    {
        /// <summary>read: the desk shows; review: it takes decisions, too (analysis:review). One of: read, review.</summary>
        [JsonPropertyName("mode")]
        public string? Mode { get; set; }

        /// <summary>report: this one; wound: all reports of its wound; list: this one and those of reports, one after the other.
        /// One of: report, wound, list.</summary>
        [JsonPropertyName("of")]
        public string? Of { get; set; }

        /// <summary>With list: the reports behind this one, in the order in which they are gone through; of any patients.</summary>
        [JsonPropertyName("reports")]
        public IReadOnlyList<string>? Reports { get; set; }

        /// <summary>Until link and desk end.</summary>
        [JsonPropertyName("minutes")]
        public long? Minutes { get; set; }

        /// <summary>Of your page that shows the desk in a frame; one that the organization allowed. Absent: no frame.</summary>
        [JsonPropertyName("frameOrigin")]
        public string? FrameOrigin { get; set; }

        /// <summary>Who decides there, and signs as that; the key must be allowed to name persons. Absent: the person of
        /// X-Sutura-User, whose name is typed at the desk.</summary>
        [JsonPropertyName("person")]
        public ReviewLinkRequestPerson? Person { get; set; }

        /// <summary>Of the desk; absent: as the browser asks. One of: en, es, de, fr.</summary>
        [JsonPropertyName("language")]
        public string? Language { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => "ReviewLinkRequest";
    }

    /// <summary>Who decides there, and signs as that; the key must be allowed to name persons. Absent: the person of
    /// X-Sutura-User, whose name is typed at the desk.</summary>
    public sealed class ReviewLinkRequestPerson
    {
        /// <summary>Id.</summary>
        [JsonPropertyName("id")]
        public string? Id { get; set; }

        /// <summary>Name.</summary>
        [JsonPropertyName("name")]
        public string? Name { get; set; }

        /// <summary>URI of the numbering that id belongs to; it tells people of two record systems apart.</summary>
        [JsonPropertyName("system")]
        public string? System { get; set; }

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"ReviewLinkRequestPerson[id={Id}]";
    }
}
