using System;
using Sutura.Sdk.Models;

namespace Sutura.Sdk
{
    /// <summary>The forms of a report.</summary>
    public enum DocumentFormat
    {
        /// <summary>PDF.</summary>
        Pdf,

        /// <summary>HTML.</summary>
        Html,

        /// <summary>Plain text.</summary>
        Text,

        /// <summary>JSON.</summary>
        Json,
    }

    internal static class MediaTypes
    {
        internal static string Of(DocumentFormat format) => format switch
        {
            DocumentFormat.Pdf => "application/pdf",
            DocumentFormat.Html => "text/html",
            DocumentFormat.Text => "text/plain",
            DocumentFormat.Json => "application/json",
            _ => throw new ArgumentOutOfRangeException(nameof(format)),
        };
    }

    /// <summary>How a document is wanted.</summary>
    public sealed class DocumentOptions : Query
    {
        /// <summary>Language: en, es, de or fr; else that of the organization.</summary>
        public string? Language { get; set; }

        /// <summary>Of a PDF: a4 or letter.</summary>
        public string? Paper { get; set; }

        /// <summary>Of a wound: photos from this moment on.</summary>
        public string? From { get; set; }

        /// <summary>Of a wound: photos until this moment.</summary>
        public string? To { get; set; }

        /// <summary>Of a report: as this version had it.</summary>
        public long? Version { get; set; }

        internal override void Fill(QueryPairs pairs)
        {
            pairs.Put("lang", Language);
            pairs.Put("paper", Paper);
            pairs.Put("from", From);
            pairs.Put("to", To);
        }
    }

    /// <summary>A report with the tag that a review of it needs.</summary>
    public sealed class TaggedReport
    {
        internal TaggedReport(ClinicalReport report, string etag) => (Report, ETag) = (report, etag);

        /// <summary>Its content.</summary>
        public ClinicalReport Report { get; }

        /// <summary>The tag of the answer.</summary>
        public string ETag { get; }

        /// <summary>The report's id.</summary>
        public string Id => Report.Id;

        /// <summary>Without content: what is printed may end in a log.</summary>
        public override string ToString() => $"TaggedReport[id={Id}]";
    }
}
