"""JSON answers to models; what the contract does not promise to be there may be missing."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Optional, TypeVar

from .errors import MalformedResponseError
from .models import Job, JobError, JobPage, JsonObject, UploadTicket, Usage

T = TypeVar("T")


class _Unlike(Exception):
    """A promised field is missing or of another type."""


def read_json(body: bytes, status: int, request_id: Optional[str], convert: Callable[[JsonObject], T]) -> T:
    """The model in an answer; ``MalformedResponseError`` where there is none. What was answered is not repeated."""
    reason = "is no JSON object"
    try:
        value = json.loads(body)
        if isinstance(value, dict):
            return convert(value)
    except _Unlike as unlike:
        reason = str(unlike)
    except ValueError:
        pass
    raise MalformedResponseError(
        f"The answer with status {status} {reason}. Check that base_url is the address of the service.",
        status=status,
        request_id=request_id,
    )


def to_upload_ticket(value: JsonObject) -> UploadTicket:
    headers = _optional(value, "headers", dict) or {}
    return UploadTicket(
        image_id=_required(value, "imageId", str),
        upload_url=_required(value, "uploadUrl", str),
        method=_optional(value, "method", str) or "PUT",
        headers={str(name): str(text) for name, text in headers.items()},
        expires_at=_optional(value, "expiresAt", str),
        max_bytes=_optional(value, "maxBytes", int),
        raw=value,
    )


def to_job(value: JsonObject) -> Job:
    return Job(
        id=_required(value, "id", str),
        status=_required(value, "status", str),
        image_id=_optional(value, "imageId", str),
        clinical_context=_optional(value, "clinicalContext", str),
        subject=_optional(value, "subject", dict),
        captured_at=_optional(value, "capturedAt", str),
        calibration=_optional(value, "calibration", dict),
        clinician_observations=_optional(value, "clinicianObservations", dict),
        priority=_optional(value, "priority", str),
        metadata=_optional(value, "metadata", dict),
        environment=_optional(value, "environment", str),
        created_at=_optional(value, "createdAt", str),
        started_at=_optional(value, "startedAt", str),
        completed_at=_optional(value, "completedAt", str),
        attempts=_optional(value, "attempts", int),
        result=_optional(value, "result", dict),
        error=_to_job_error(_optional(value, "error", dict)),
        links=_optional(value, "links", dict) or {},
        raw=value,
    )


def to_job_page(value: JsonObject) -> JobPage:
    items = _required(value, "items", list)
    if not all(isinstance(item, dict) for item in items):
        raise _Unlike('has no usable "items"')
    return JobPage(
        items=tuple(to_job(item) for item in items), next_cursor=_optional(value, "nextCursor", str), raw=value
    )


def to_usage(value: JsonObject) -> Usage:
    return Usage(
        limit=_required(value, "limit", int),
        used=_required(value, "used", int),
        remaining=_required(value, "remaining", int),
        resets_at=_required(value, "resetsAt", str),
        raw=value,
    )


def _to_job_error(value: Optional[Dict[str, Any]]) -> Optional[JobError]:
    if value is None:
        return None
    return JobError(
        code=_optional(value, "code", str) or "unknown",
        detail=_optional(value, "detail", str) or "No reason was given.",
        retryable=value.get("retryable") is True,
    )


def _required(value: JsonObject, name: str, kind: type) -> Any:
    if not isinstance(value.get(name), kind):
        raise _Unlike(f'has no usable "{name}"')
    return value[name]


def _optional(value: JsonObject, name: str, kind: type) -> Any:
    found = value.get(name)
    return found if isinstance(found, kind) else None
