"""JSON answers to reports."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

from ._fields import Unlike, objects, optional, required
from .models import JsonObject
from .reports import FiledReport, Report, ReportPage, ReportVersion, ReviewLink


def to_report(value: JsonObject, etag: Optional[str]) -> Report:
    """With the tag of the answer's header: without one the report could be shown, but never reviewed."""
    if not etag:
        raise Unlike("has no ETag")
    return Report(**_report_fields(value), etag=etag)


def to_report_versions(value: JsonObject) -> Tuple[ReportVersion, ...]:
    return tuple(ReportVersion(**_report_fields(item)) for item in objects(value, "items"))


def to_report_page(value: JsonObject) -> ReportPage:
    return ReportPage(
        items=tuple(_to_filed_report(item) for item in objects(value, "items")),
        next_cursor=optional(value, "nextCursor", str),
        raw=value,
    )


def _to_filed_report(value: JsonObject) -> FiledReport:
    return FiledReport(
        id=required(value, "id", str),
        version=required(value, "version", int),
        status=required(value, "status", str),
        job_id=required(value, "jobId", str),
        image_id=required(value, "imageId", str),
        wound_ref=required(value, "woundRef", str),
        attention=tuple(required(value, "attention", list)),
        replaces=optional(value, "replaces", str),
        replaced_by=optional(value, "replacedBy", str),
        captured_at=optional(value, "capturedAt", str),
        created_at=optional(value, "createdAt", str),
        links=optional(value, "links", dict) or {},
        raw=value,
    )


def to_review_link(value: JsonObject) -> ReviewLink:
    return ReviewLink(
        id=required(value, "id", str), url=required(value, "url", str), expires_at=required(value, "expiresAt", str), raw=value
    )


def _report_fields(value: JsonObject) -> Dict[str, Any]:
    return {
        "id": required(value, "id", str),
        "version": required(value, "version", int),
        "status": required(value, "status", str),
        "reason": optional(value, "reason", str),
        "environment": optional(value, "environment", str),
        "job_id": optional(value, "jobId", str),
        "image_id": optional(value, "imageId", str),
        "sequence": optional(value, "sequence", int),
        "replaces": optional(value, "replaces", str),
        "replaced_by": optional(value, "replacedBy", str),
        "issued_at": optional(value, "issuedAt", str),
        "subject": required(value, "subject", dict),
        "captured_at": optional(value, "capturedAt", str),
        "captured_as_stated": optional(value, "capturedAsStated", str),
        "clinical_context": optional(value, "clinicalContext", str),
        "clinician_observations": optional(value, "clinicianObservations", dict),
        "findings": required(value, "findings", dict),
        "comparison": required(value, "comparison", dict),
        "flags": required(value, "flags", list),
        "review": optional(value, "review", dict),
        "models": optional(value, "models", list) or [],
        "heading": optional(value, "heading", dict),
        "sandbox": optional(value, "sandbox", str),
        "erased_photos": optional(value, "erasedPhotos", list) or [],
        "links": optional(value, "links", dict) or {},
        "raw": value,
    }
