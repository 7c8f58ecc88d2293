// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Threading;
using System.Threading.Tasks;
using Sutura.Sdk.Models;

namespace Sutura.Sdk
{
    public sealed partial class SuturaClient
    {
        /// <summary>List jobs</summary>
        /// <param name="query">which ones; null: all</param>
        public Task<AnalysisJobList> ListJobsAsync(ListJobsQuery? query = null, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<AnalysisJobList>(Call.Of("GET", "/api/v1/analysis/jobs").Query(query), cancellationToken, "items");

        /// <summary>List jobs: every item of all pages, read when needed.</summary>
        /// <param name="query">which ones; null: all</param>
        public Pages<AnalysisJob> IterateJobs(ListJobsQuery? query = null) =>
            Pages.Of((cursor, cancellationToken) => calls.JsonAsync<AnalysisJobList>(Call.Of("GET", "/api/v1/analysis/jobs").Query(query, cursor), cancellationToken, "items"),
                page => page.Items, page => page.NextCursor);

        /// <summary>Create an analysis job</summary>
        /// <param name="idempotencyKey">the same for every repeat of this; null: a new one</param>
        public Task<AnalysisJob> CreateAnalysisJobAsync(AnalysisJobRequest request, string? idempotencyKey = null, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<AnalysisJob>(Call.Of("POST", "/api/v1/analysis/jobs").Json(request).Key(idempotencyKey), cancellationToken, "id", "status");

        /// <summary>Read a job</summary>
        public Task<AnalysisJob> GetJobAsync(string jobId, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<AnalysisJob>(Call.Of("GET", $"/api/v1/analysis/jobs/{Segment.Of("jobId", jobId)}"), cancellationToken, "id", "status");
    }
}
