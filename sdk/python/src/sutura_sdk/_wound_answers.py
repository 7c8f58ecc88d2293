"""JSON answers to wounds and timelines."""

from __future__ import annotations

from typing import Any, Dict

from ._fields import number, objects, optional, required
from .models import JsonObject
from .wounds import (
    ClinicalEvent,
    ClinicalEventList,
    EventWithdrawal,
    TimelineAssessment,
    Wound,
    WoundDetails,
    WoundEvent,
    WoundPage,
    WoundRelation,
    WoundTimeline,
)


def to_wound(value: JsonObject) -> Wound:
    return Wound(**_wound_fields(value))


def to_wound_details(value: JsonObject) -> WoundDetails:
    return WoundDetails(
        **_wound_fields(value),
        candidates=tuple(to_wound(one) for one in objects(value, "candidates")),
        events=tuple(_to_event(one) for one in objects(value, "events")),
        course=optional(value, "course", dict),
        clinical_events=tuple(to_clinical_event(one) for one in value.get("clinicalEvents") or ()),
        relations=tuple(to_wound_relation(one) for one in value.get("relations") or ()),
    )


def to_wound_page(value: JsonObject) -> WoundPage:
    items = tuple(to_wound(item) for item in objects(value, "items"))
    return WoundPage(items=items, next_cursor=optional(value, "nextCursor", str), raw=value)


def to_clinical_events(value: JsonObject) -> ClinicalEventList:
    items = tuple(to_clinical_event(item) for item in objects(value, "items"))
    return ClinicalEventList(items=items, next_cursor=optional(value, "nextCursor", str), raw=value)


def to_clinical_event(value: JsonObject) -> ClinicalEvent:
    withdrawn = optional(value, "withdrawn", dict)
    return ClinicalEvent(
        id=required(value, "id", str),
        wound=optional(value, "wound", str),
        type=required(value, "type", str),
        occurred_at=optional(value, "occurredAt", str),
        note=optional(value, "note", str),
        by=optional(value, "by", dict),
        recorded_at=optional(value, "recordedAt", str),
        entered_by=optional(value, "enteredBy", str),
        withdrawn=None if withdrawn is None else _to_withdrawal(withdrawn),
        raw=value,
    )


def to_wound_relation(value: JsonObject) -> WoundRelation:
    withdrawn = optional(value, "withdrawn", dict)
    return WoundRelation(
        id=required(value, "id", str),
        kind=required(value, "kind", str),
        whole=required(value, "whole", str),
        parts=tuple(required(value, "parts", list)),
        at=optional(value, "at", str),
        note=optional(value, "note", str),
        by=optional(value, "by", dict),
        recorded_at=optional(value, "recordedAt", str),
        entered_by=optional(value, "enteredBy", str),
        withdrawn=None if withdrawn is None else _to_withdrawal(withdrawn),
        raw=value,
    )


def _to_withdrawal(value: JsonObject) -> EventWithdrawal:
    return EventWithdrawal(
        withdrawn_at=optional(value, "withdrawnAt", str),
        note=optional(value, "note", str),
        by=optional(value, "by", dict),
        entered_by=optional(value, "enteredBy", str),
    )


def to_timeline(value: JsonObject) -> WoundTimeline:
    assessments = tuple(_to_assessment(one) for one in objects(value, "assessments"))
    return WoundTimeline(wound=to_wound(required(value, "wound", dict)), assessments=assessments, raw=value)


def _wound_fields(value: JsonObject) -> Dict[str, Any]:
    return {
        "id": required(value, "id", str),
        "patient": optional(value, "patient", dict),
        "wound_id": optional(value, "woundId", str),
        "wound_id_system": optional(value, "woundIdSystem", str),
        "linked": value.get("linked") is True,
        "body_site": optional(value, "bodySite", dict),
        "laterality": optional(value, "laterality", str),
        "wound_type": optional(value, "woundType", dict),
        "status": required(value, "status", str),
        "closed_at": optional(value, "closedAt", str),
        "merged_into": optional(value, "mergedInto", str),
        "environment": optional(value, "environment", str),
        "created_at": optional(value, "createdAt", str),
        "attention": optional(value, "attention", list) or [],
        "links": optional(value, "links", dict) or {},
        "raw": value,
    }


def _to_event(value: JsonObject) -> WoundEvent:
    return WoundEvent(
        decision=required(value, "decision", str),
        other_wound=optional(value, "otherWound", str),
        reviewer=optional(value, "reviewer", dict),
        note=optional(value, "note", str),
        decided_at=optional(value, "decidedAt", str),
        entered_by=optional(value, "enteredBy", str),
        reason=optional(value, "reason", str),
    )


def _to_assessment(value: JsonObject) -> TimelineAssessment:
    return TimelineAssessment(
        sequence=required(value, "sequence", int),
        captured_at=optional(value, "capturedAt", str),
        captured_as_stated=optional(value, "capturedAsStated", str),
        job_id=optional(value, "jobId", str),
        image_id=optional(value, "imageId", str),
        report_id=required(value, "reportId", str),
        report_version=optional(value, "reportVersion", int),
        report_status=optional(value, "reportStatus", str),
        wound_detected=optional(value, "woundDetected", bool),
        area_cm2=optional(value, "areaCm2", dict),
        length_cm=optional(value, "lengthCm", dict),
        width_cm=optional(value, "widthCm", dict),
        perimeter_cm=optional(value, "perimeterCm", dict),
        area_pixels=number(value, "areaPixels"),
        tissue=optional(value, "tissue", dict),
        confirmed_tissues=tuple(optional(value, "confirmedTissues", list) or ()),
        quality=optional(value, "quality", dict),
        scale_source=optional(value, "scaleSource", str),
        model=optional(value, "model", str),
        outline_source=optional(value, "outlineSource", str),
        no_trend_reason=optional(value, "noTrendReason", str),
        attention=tuple(optional(value, "attention", list) or ()),
        since_previous=optional(value, "sincePrevious", dict),
        since_baseline=optional(value, "sinceBaseline", dict),
        since_smallest=optional(value, "sinceSmallest", dict),
        slope=optional(value, "slope", dict),
        trend=optional(value, "trend", str),
        trend_basis=optional(value, "trendBasis", str),
        superseded_by=optional(value, "supersededBy", str),
        flags=optional(value, "flags", list) or [],
        links=optional(value, "links", dict) or {},
        raw=value,
        course=optional(value, "course", dict),
        age_group=optional(value, "ageGroup", str),
        reset=optional(value, "reset", dict),
        relation=optional(value, "relation", dict),
        unconfirmed_necrosis=optional(value, "unconfirmedNecrosis", dict),
    )
