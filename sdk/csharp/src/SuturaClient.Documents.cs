using System;
using System.Threading;
using System.Threading.Tasks;
using Sutura.Sdk.Models;

namespace Sutura.Sdk
{
    /// <content>Reports, their documents and reviews, and decisions that the service refuses to take twice.</content>
    public sealed partial class SuturaClient
    {
        /// <summary>A report, by its id or the address in a job's <c>links.report</c>.</summary>
        public async Task<TaggedReport> GetReportAsync(string reportId, CancellationToken cancellationToken = default)
        {
            var call = Call.Of("GET", ReportPath(reportId)).Header("accept", MediaTypes.Of(DocumentFormat.Json));
            return (await calls.SendAsync(call, Tagged, cancellationToken).ConfigureAwait(false))!;
        }

        /// <summary>Reviews the report that was read; <see cref="PreconditionFailedException"/> where it has changed since.</summary>
        public Task<TaggedReport> ReviewReportAsync(TaggedReport report, ReviewRequest review, CancellationToken cancellationToken = default) =>
            ReviewReportAsync(report.Id, report.ETag, review, null, cancellationToken);

        /// <summary>The same with what was kept of a report.</summary>
        /// <param name="etag">as <see cref="GetReportAsync"/> gave it</param>
        /// <param name="idempotencyKey">the same for every repeat of this; null: a new one</param>
        public async Task<TaggedReport> ReviewReportAsync(string reportId, string etag, ReviewRequest review,
            string? idempotencyKey = null, CancellationToken cancellationToken = default)
        {
            // If-Match compares strongly (RFC 9110 13.1.1); a proxy that compresses makes the tag weak, but not another one.
            var tag = etag != null && etag.StartsWith("W/", StringComparison.Ordinal) ? etag.Substring(2) : etag;
            if (string.IsNullOrEmpty(tag))
            {
                throw new ArgumentException("etag must be that of the report as GetReportAsync returned it.", nameof(etag));
            }
            var call = Call.Of("POST", ReportPath(reportId) + "/reviews").Json(review).Key(idempotencyKey).Header("if-match", tag);
            return (await calls.SendAsync(call, Tagged, cancellationToken).ConfigureAwait(false))!;
        }

        /// <summary>A report as a document.</summary>
        public Task<byte[]> DownloadReportAsync(string reportId, DocumentFormat format, DocumentOptions? options = null,
            CancellationToken cancellationToken = default) =>
            calls.BytesAsync(Document(VersionPath(reportId, options), format, options), MediaTypes.Of(format), cancellationToken);

        /// <summary>A report as a document in a file, which appears whole or not at all.</summary>
        public Task<SavedFile> SaveReportAsync(string reportId, string path, DocumentFormat format, DocumentOptions? options = null,
            CancellationToken cancellationToken = default) =>
            downloads.SaveAsync(Document(VersionPath(reportId, options), format, options), path,
                answer => calls.OfType(answer, MediaTypes.Of(format)), cancellationToken);

        /// <summary>The course of a wound as a document.</summary>
        public Task<byte[]> DownloadWoundReportAsync(string woundId, DocumentFormat format, DocumentOptions? options = null,
            CancellationToken cancellationToken = default) =>
            calls.BytesAsync(Document(WoundPath(woundId) + "/report", format, options), MediaTypes.Of(format), cancellationToken);

        /// <summary>What is known of a wound for who pays; without a period the last four weeks.</summary>
        public Task<byte[]> DownloadWoundEvidenceAsync(string woundId, DocumentFormat format, DocumentOptions? options = null,
            CancellationToken cancellationToken = default) =>
            calls.BytesAsync(Document(WoundPath(woundId) + "/evidence", format, options), MediaTypes.Of(format), cancellationToken);

        /// <summary>Joins a wound into another.</summary>
        public Task<WoundDetails> MergeWoundAsync(string woundId, WoundMergeRequest request, CancellationToken cancellationToken = default) =>
            DecideAsync("merge", woundId, request, request.Into, cancellationToken);

        /// <summary>Takes a merged wound out again.</summary>
        public Task<WoundDetails> UnmergeWoundAsync(string woundId, WoundDecisionRequest? request = null,
            CancellationToken cancellationToken = default) =>
            DecideAsync("unmerge", woundId, request, null, cancellationToken);

        /// <summary>A repeat that is refused may only say that an earlier attempt did it, and its answer was lost.</summary>
        private async Task<WoundDetails> DecideAsync(string action, string woundId, object? request, string? mergedInto,
            CancellationToken cancellationToken)
        {
            var call = Call.Of("POST", $"{WoundPath(woundId)}/{action}").Json(request);
            try
            {
                return (await calls.SendAsync(call, answer => calls.Read<WoundDetails>(answer, "id", "status"), cancellationToken)
                    .ConfigureAwait(false))!;
            }
            catch (ConflictException) when (call.Failures > 0)
            {
                var wound = await GetWoundAsync(woundId, cancellationToken).ConfigureAwait(false);
                if (wound.MergedInto != mergedInto)
                {
                    throw;
                }
                return wound;
            }
        }

        private TaggedReport Tagged(Answer answer)
        {
            var report = calls.Read<ClinicalReport>(answer, "id", "version");
            return new TaggedReport(report, answer.Header("etag") ?? throw calls.Connection.Malformed(answer));
        }

        private static Call Document(string path, DocumentFormat format, DocumentOptions? options) =>
            Call.Of("GET", path).Query(options).Header("accept", MediaTypes.Of(format));

        private static string WoundPath(string woundId) => $"/api/v1/wounds/{Segment.Of(nameof(woundId), woundId)}";

        private static string ReportPath(string reportId) => $"/api/v1/reports/{Segment.OfReport(reportId)}";

        private static string VersionPath(string reportId, DocumentOptions? options) =>
            ReportPath(reportId) + (options?.Version == null ? "" : $"/versions/{options.Version}");
    }
}
