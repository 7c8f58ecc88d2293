"""JSON answers to models; what the contract does not promise to be there may be missing."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Mapping, Optional, Type, TypeVar, cast

from ._fields import Unlike, objects, optional, required
from .errors import MalformedResponseError
from .models import AnyJob, CompletedJob, FailedJob, ImageMetadata, Job, JobError, JobPage, JsonObject, RunningJob, UploadTicket, Usage

T = TypeVar("T")


def read_json(body: bytes, status: int, request_id: Optional[str], convert: Callable[[JsonObject], T]) -> T:
    """The model in an answer; ``MalformedResponseError`` where there is none. What was answered is not repeated."""
    reason = "is no JSON object"
    try:
        value = json.loads(body)
        if isinstance(value, dict):
            return convert(value)
    except Unlike as unlike:
        reason = str(unlike)
    except ValueError:
        pass
    raise MalformedResponseError(
        f"The answer with status {status} {reason}. Check that base_url is the address of the service.",
        status=status,
        request_id=request_id,
    )


def to_upload_ticket(value: JsonObject) -> UploadTicket:
    headers = optional(value, "headers", dict) or {}
    return UploadTicket(
        image_id=required(value, "imageId", str),
        upload_url=required(value, "uploadUrl", str),
        method=optional(value, "method", str) or "PUT",
        headers={str(name): str(text) for name, text in headers.items()},
        expires_at=optional(value, "expiresAt", str),
        max_bytes=optional(value, "maxBytes", int),
        raw=value,
    )


def to_image_metadata(value: JsonObject) -> ImageMetadata:
    return ImageMetadata(
        image_id=required(value, "imageId", str),
        status=required(value, "status", str),
        content_type=optional(value, "contentType", str),
        size_bytes=optional(value, "sizeBytes", int),
        sha256=optional(value, "sha256", str),
        width=optional(value, "width", int),
        height=optional(value, "height", int),
        readable=optional(value, "readable", bool),
        unreadable_reason=optional(value, "unreadableReason", str),
        environment=optional(value, "environment", str),
        created_at=optional(value, "createdAt", str),
        stored_at=optional(value, "storedAt", str),
        upload_expires_at=optional(value, "uploadExpiresAt", str),
        raw=value,
    )


_KINDS: Mapping[str, Type[Job]] = {"completed": CompletedJob, "error": FailedJob}


def to_job(value: JsonObject) -> AnyJob:
    status: str = required(value, "status", str)
    job = _KINDS.get(status, RunningJob)(
        id=required(value, "id", str),
        status=status,
        image_id=optional(value, "imageId", str),
        clinical_context=optional(value, "clinicalContext", str),
        subject=optional(value, "subject", dict),
        captured_at=optional(value, "capturedAt", str),
        captured_as_stated=optional(value, "capturedAsStated", str),
        calibration=optional(value, "calibration", dict),
        clinician_observations=optional(value, "clinicianObservations", dict),
        priority=optional(value, "priority", str),
        metadata=optional(value, "metadata", dict),
        environment=optional(value, "environment", str),
        created_at=optional(value, "createdAt", str),
        started_at=optional(value, "startedAt", str),
        completed_at=optional(value, "completedAt", str),
        attempts=optional(value, "attempts", int),
        retry_of=optional(value, "retryOf", str),
        sandbox=optional(value, "sandbox", str),
        result=optional(value, "result", dict),
        error=_to_job_error(optional(value, "error", dict)),
        links=optional(value, "links", dict) or {},
        raw=value,
    )
    return cast(AnyJob, job)


def to_job_page(value: JsonObject) -> JobPage:
    items = tuple(to_job(item) for item in objects(value, "items"))
    return JobPage(items=items, next_cursor=optional(value, "nextCursor", str), raw=value)


def to_usage(value: JsonObject) -> Usage:
    return Usage(
        limit=required(value, "limit", int),
        used=required(value, "used", int),
        remaining=required(value, "remaining", int),
        resets_at=required(value, "resetsAt", str),
        raw=value,
    )


def _to_job_error(value: Optional[Dict[str, Any]]) -> Optional[JobError]:
    if value is None:
        return None
    return JobError(
        code=optional(value, "code", str) or "unknown",
        detail=optional(value, "detail", str) or "No reason was given.",
        retryable=value.get("retryable") is True,
    )
