// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk;

import dev.sutura.sdk.model.ClinicalEvent;
import dev.sutura.sdk.model.ClinicalEventList;
import dev.sutura.sdk.model.ClinicalEventRequest;
import dev.sutura.sdk.model.ClinicalEventWithdrawalRequest;
import dev.sutura.sdk.model.ClinicalReportVersions;
import dev.sutura.sdk.model.FiledReport;
import dev.sutura.sdk.model.ReportList;
import dev.sutura.sdk.model.ReviewLink;
import dev.sutura.sdk.model.ReviewLinkRequest;
import dev.sutura.sdk.model.Wound;
import dev.sutura.sdk.model.WoundClosingRequest;
import dev.sutura.sdk.model.WoundDetails;
import dev.sutura.sdk.model.WoundJoinRequest;
import dev.sutura.sdk.model.WoundList;
import dev.sutura.sdk.model.WoundRelation;
import dev.sutura.sdk.model.WoundRelationWithdrawalRequest;
import dev.sutura.sdk.model.WoundReopeningRequest;
import dev.sutura.sdk.model.WoundSplitRequest;
import dev.sutura.sdk.model.WoundTimeline;

/** Operations on follow-up. */
abstract class FollowUpOperations extends EventsOperations {
    FollowUpOperations(Calls calls) {
        super(calls);
    }

    /**
     * List wounds
     *
     * @param query which ones; null: all
     */
    public WoundList listWounds(ListWoundsQuery query) {
        return calls.json(Call.of("GET", "/api/v1/wounds").query(query), WoundList.class, "items");
    }

    /** List wounds */
    public WoundList listWounds() {
        return listWounds(null);
    }

    /**
     * List wounds: every item of all pages, read when needed.
     *
     * @param query which ones; null: all
     */
    public Pages<Wound> iterateWounds(ListWoundsQuery query) {
        return new Pages<>(cursor -> listWounds(Query.after(query, ListWoundsQuery::new, cursor)), WoundList::items, WoundList::nextCursor);
    }

    /** Read a wound */
    public WoundDetails getWound(String woundId) {
        return calls.json(Call.of("GET", "/api/v1/wounds/" + Segment.of("woundId", woundId)), WoundDetails.class, "id", "status");
    }

    /**
     * Read the timeline of a wound
     *
     * @param from Only photos taken at this moment or later.
     * @param to Only photos taken at this moment or earlier.
     */
    public WoundTimeline getWoundTimeline(String woundId, String from, String to) {
        return calls.json(Call.of("GET", "/api/v1/wounds/" + Segment.of("woundId", woundId) + "/timeline").query("from", from).query("to", to), WoundTimeline.class, "assessments");
    }

    /** Read the timeline of a wound */
    public WoundTimeline getWoundTimeline(String woundId) {
        return getWoundTimeline(woundId, null, null);
    }

    /**
     * Close a wound
     *
     * @param request may be null
     */
    public WoundDetails closeWound(String woundId, WoundClosingRequest request) {
        return calls.json(Call.of("POST", "/api/v1/wounds/" + Segment.of("woundId", woundId) + "/close").json(request), WoundDetails.class, "id", "status");
    }

    /** Close a wound */
    public WoundDetails closeWound(String woundId) {
        return closeWound(woundId, null);
    }

    /**
     * Reopen a wound
     *
     * @param request may be null
     */
    public WoundDetails reopenWound(String woundId, WoundReopeningRequest request) {
        return calls.json(Call.of("POST", "/api/v1/wounds/" + Segment.of("woundId", woundId) + "/reopen").json(request), WoundDetails.class, "id", "status");
    }

    /** Reopen a wound */
    public WoundDetails reopenWound(String woundId) {
        return reopenWound(woundId, null);
    }

    /** List the clinical events of a wound */
    public ClinicalEventList listClinicalEvents(String woundId) {
        return calls.json(Call.of("GET", "/api/v1/wounds/" + Segment.of("woundId", woundId) + "/events"), ClinicalEventList.class, "items");
    }

    /**
     * Record a clinical event of a wound
     *
     * @param idempotencyKey the same for every repeat of this; null: a new one
     */
    public ClinicalEvent recordClinicalEvent(String woundId, ClinicalEventRequest request, String idempotencyKey) {
        return calls.json(Call.of("POST", "/api/v1/wounds/" + Segment.of("woundId", woundId) + "/events").json(request).key(idempotencyKey), ClinicalEvent.class, "id");
    }

    /** Record a clinical event of a wound */
    public ClinicalEvent recordClinicalEvent(String woundId, ClinicalEventRequest request) {
        return recordClinicalEvent(woundId, request, null);
    }

    /**
     * Withdraw a clinical event
     *
     * @param request may be null
     */
    public ClinicalEvent withdrawClinicalEvent(String woundId, String eventId, ClinicalEventWithdrawalRequest request) {
        return calls.json(Call.of("DELETE", "/api/v1/wounds/" + Segment.of("woundId", woundId) + "/events/" + Segment.of("eventId", eventId)).json(request), ClinicalEvent.class, "id");
    }

    /** Withdraw a clinical event */
    public ClinicalEvent withdrawClinicalEvent(String woundId, String eventId) {
        return withdrawClinicalEvent(woundId, eventId, null);
    }

    /**
     * Say that wounds have grown together
     *
     * @param idempotencyKey the same for every repeat of this; null: a new one
     */
    public WoundRelation joinWounds(String woundId, WoundJoinRequest request, String idempotencyKey) {
        return calls.json(Call.of("POST", "/api/v1/wounds/" + Segment.of("woundId", woundId) + "/join").json(request).key(idempotencyKey), WoundRelation.class, "id");
    }

    /** Say that wounds have grown together */
    public WoundRelation joinWounds(String woundId, WoundJoinRequest request) {
        return joinWounds(woundId, request, null);
    }

    /**
     * Say that a wound has fallen into several
     *
     * @param idempotencyKey the same for every repeat of this; null: a new one
     */
    public WoundRelation splitWound(String woundId, WoundSplitRequest request, String idempotencyKey) {
        return calls.json(Call.of("POST", "/api/v1/wounds/" + Segment.of("woundId", woundId) + "/split").json(request).key(idempotencyKey), WoundRelation.class, "id");
    }

    /** Say that a wound has fallen into several */
    public WoundRelation splitWound(String woundId, WoundSplitRequest request) {
        return splitWound(woundId, request, null);
    }

    /**
     * Take a relation of wounds back
     *
     * @param request may be null
     */
    public WoundRelation withdrawWoundRelation(String woundId, String relationId, WoundRelationWithdrawalRequest request) {
        return calls.json(Call.of("DELETE", "/api/v1/wounds/" + Segment.of("woundId", woundId) + "/relations/" + Segment.of("relationId", relationId)).json(request), WoundRelation.class, "id");
    }

    /** Take a relation of wounds back */
    public WoundRelation withdrawWoundRelation(String woundId, String relationId) {
        return withdrawWoundRelation(woundId, relationId, null);
    }

    /**
     * Find reports by your own references
     *
     * @param query which ones; null: all
     */
    public ReportList listReports(ListReportsQuery query) {
        return calls.json(Call.of("GET", "/api/v1/reports").query(query), ReportList.class, "items");
    }

    /** Find reports by your own references */
    public ReportList listReports() {
        return listReports(null);
    }

    /**
     * Find reports by your own references: every item of all pages, read when needed.
     *
     * @param query which ones; null: all
     */
    public Pages<FiledReport> iterateReports(ListReportsQuery query) {
        return new Pages<>(cursor -> listReports(Query.after(query, ListReportsQuery::new, cursor)), ReportList::items, ReportList::nextCursor);
    }

    /** List the versions of a report */
    public ClinicalReportVersions getReportVersions(String reportId) {
        return calls.json(Call.of("GET", "/api/v1/reports/" + Segment.ofReport(reportId) + "/versions"), ClinicalReportVersions.class, "items");
    }

    /** Make a link to the review desk */
    public ReviewLink createReviewLink(String reportId, ReviewLinkRequest request) {
        return calls.json(Call.of("POST", "/api/v1/reports/" + Segment.ofReport(reportId) + "/review-links").json(request), ReviewLink.class, "url");
    }
}
