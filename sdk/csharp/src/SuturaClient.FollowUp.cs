// Generated from docs/openapi.json by "npm run build:sdk:csharp".
using System.Threading;
using System.Threading.Tasks;
using Sutura.Sdk.Models;

namespace Sutura.Sdk
{
    public sealed partial class SuturaClient
    {
        /// <summary>List wounds</summary>
        /// <param name="query">which ones; null: all</param>
        public Task<WoundList> ListWoundsAsync(ListWoundsQuery? query = null, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<WoundList>(Call.Of("GET", "/api/v1/wounds").Query(query), cancellationToken, "items");

        /// <summary>List wounds: every item of all pages, read when needed.</summary>
        /// <param name="query">which ones; null: all</param>
        public Pages<Wound> IterateWounds(ListWoundsQuery? query = null) =>
            Pages.Of((cursor, cancellationToken) => calls.JsonAsync<WoundList>(Call.Of("GET", "/api/v1/wounds").Query(query, cursor), cancellationToken, "items"),
                page => page.Items, page => page.NextCursor);

        /// <summary>Read a wound</summary>
        public Task<WoundDetails> GetWoundAsync(string woundId, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<WoundDetails>(Call.Of("GET", $"/api/v1/wounds/{Segment.Of("woundId", woundId)}"), cancellationToken, "id", "status");

        /// <summary>Read the timeline of a wound</summary>
        /// <param name="from">Only photos taken at this moment or later.</param>
        /// <param name="to">Only photos taken at this moment or earlier.</param>
        public Task<WoundTimeline> GetWoundTimelineAsync(string woundId, string? from = null, string? to = null, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<WoundTimeline>(Call.Of("GET", $"/api/v1/wounds/{Segment.Of("woundId", woundId)}/timeline").Query("from", from).Query("to", to), cancellationToken, "assessments");

        /// <summary>Close a wound</summary>
        public Task<WoundDetails> CloseWoundAsync(string woundId, WoundClosingRequest? request = null, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<WoundDetails>(Call.Of("POST", $"/api/v1/wounds/{Segment.Of("woundId", woundId)}/close").Json(request), cancellationToken, "id", "status");

        /// <summary>Reopen a wound</summary>
        public Task<WoundDetails> ReopenWoundAsync(string woundId, WoundReopeningRequest? request = null, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<WoundDetails>(Call.Of("POST", $"/api/v1/wounds/{Segment.Of("woundId", woundId)}/reopen").Json(request), cancellationToken, "id", "status");

        /// <summary>List the clinical events of a wound</summary>
        public Task<ClinicalEventList> ListClinicalEventsAsync(string woundId, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<ClinicalEventList>(Call.Of("GET", $"/api/v1/wounds/{Segment.Of("woundId", woundId)}/events"), cancellationToken, "items");

        /// <summary>Record a clinical event of a wound</summary>
        /// <param name="idempotencyKey">the same for every repeat of this; null: a new one</param>
        public Task<ClinicalEvent> RecordClinicalEventAsync(string woundId, ClinicalEventRequest request, string? idempotencyKey = null, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<ClinicalEvent>(Call.Of("POST", $"/api/v1/wounds/{Segment.Of("woundId", woundId)}/events").Json(request).Key(idempotencyKey), cancellationToken, "id");

        /// <summary>Withdraw a clinical event</summary>
        public Task<ClinicalEvent> WithdrawClinicalEventAsync(string woundId, string eventId, ClinicalEventWithdrawalRequest? request = null, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<ClinicalEvent>(Call.Of("DELETE", $"/api/v1/wounds/{Segment.Of("woundId", woundId)}/events/{Segment.Of("eventId", eventId)}").Json(request), cancellationToken, "id");

        /// <summary>Say that wounds have grown together</summary>
        /// <param name="idempotencyKey">the same for every repeat of this; null: a new one</param>
        public Task<WoundRelation> JoinWoundsAsync(string woundId, WoundJoinRequest request, string? idempotencyKey = null, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<WoundRelation>(Call.Of("POST", $"/api/v1/wounds/{Segment.Of("woundId", woundId)}/join").Json(request).Key(idempotencyKey), cancellationToken, "id");

        /// <summary>Say that a wound has fallen into several</summary>
        /// <param name="idempotencyKey">the same for every repeat of this; null: a new one</param>
        public Task<WoundRelation> SplitWoundAsync(string woundId, WoundSplitRequest request, string? idempotencyKey = null, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<WoundRelation>(Call.Of("POST", $"/api/v1/wounds/{Segment.Of("woundId", woundId)}/split").Json(request).Key(idempotencyKey), cancellationToken, "id");

        /// <summary>Take a relation of wounds back</summary>
        public Task<WoundRelation> WithdrawWoundRelationAsync(string woundId, string relationId, WoundRelationWithdrawalRequest? request = null, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<WoundRelation>(Call.Of("DELETE", $"/api/v1/wounds/{Segment.Of("woundId", woundId)}/relations/{Segment.Of("relationId", relationId)}").Json(request), cancellationToken, "id");

        /// <summary>Find reports by your own references</summary>
        /// <param name="query">which ones; null: all</param>
        public Task<ReportList> ListReportsAsync(ListReportsQuery? query = null, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<ReportList>(Call.Of("GET", "/api/v1/reports").Query(query), cancellationToken, "items");

        /// <summary>Find reports by your own references: every item of all pages, read when needed.</summary>
        /// <param name="query">which ones; null: all</param>
        public Pages<FiledReport> IterateReports(ListReportsQuery? query = null) =>
            Pages.Of((cursor, cancellationToken) => calls.JsonAsync<ReportList>(Call.Of("GET", "/api/v1/reports").Query(query, cursor), cancellationToken, "items"),
                page => page.Items, page => page.NextCursor);

        /// <summary>List the versions of a report</summary>
        public Task<ClinicalReportVersions> GetReportVersionsAsync(string reportId, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<ClinicalReportVersions>(Call.Of("GET", $"/api/v1/reports/{Segment.OfReport(reportId)}/versions"), cancellationToken, "items");

        /// <summary>Make a link to the review desk</summary>
        public Task<ReviewLink> CreateReviewLinkAsync(string reportId, ReviewLinkRequest request, CancellationToken cancellationToken = default) =>
            calls.JsonAsync<ReviewLink>(Call.Of("POST", $"/api/v1/reports/{Segment.OfReport(reportId)}/review-links").Json(request), cancellationToken, "url");
    }
}
