"""Refusals of the service to typed errors (RFC 9457)."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Optional, Type

from .errors import BY_STATUS, FieldProblem, MalformedResponseError, QuotaExceededError, ServerError, SuturaError

QUOTA_EXCEEDED = "quota.exceeded"

_WITHOUT_PROBLEM: Mapping[int, str] = {
    401: "The service did not accept the API key.",
    403: "The service or a proxy in front of it refused the request.",
    404: "Nothing is served under this address. Check base_url.",
    413: "The service or a proxy in front of it takes no body of this size.",
    429: "Too many requests. Slow down.",
    502: "A proxy in front of the service got no answer from it.",
    503: "The service is not available at present.",
    504: "A proxy in front of the service waited too long for its answer.",
}


def to_error(status: int, body: bytes, request_id: Optional[str], retry_after: Optional[float]) -> SuturaError:
    """The typed error of a refusal. A body that is no problem, such as a proxy's page, is not repeated in it."""
    problem = _read_problem(body)
    code = problem.get("code") if isinstance(problem.get("code"), str) else None
    named = problem.get("requestId")
    request_id = request_id or (named if isinstance(named, str) else None)
    return _kind_of(status, code)(
        _text_of(status, code, problem, request_id),
        status=status,
        code=code,
        request_id=request_id,
        errors=_fields_of(problem),
        retry_after=retry_after,
        held_id=_held_id_of(problem),
    )


def _kind_of(status: int, code: Optional[str]) -> Type[SuturaError]:
    if status == 429 and code == QUOTA_EXCEEDED:
        return QuotaExceededError
    if status >= 500:
        return ServerError
    if status < 400:
        return MalformedResponseError
    return BY_STATUS.get(status, SuturaError)


def _text_of(status: int, code: Optional[str], problem: Dict[str, Any], request_id: Optional[str]) -> str:
    detail = problem.get("detail")
    if not isinstance(detail, str) or detail == "":
        title = problem.get("title")
        detail = title if isinstance(title, str) and title != "" else _advice_for(status)
    unsaid = [one for one in _fields_of(problem) if one["detail"] != detail]
    fields = "".join(f" {one['pointer'] or '/'}: {one['detail'][:-1] if one['detail'].endswith('.') else one['detail']}." for one in unsaid)
    held_id = _held_id_of(problem)
    named = [*([] if held_id is None else [f"held as {held_id}"]), *([] if request_id is None else [f"request {request_id}"])]
    reference = f" ({', '.join(named)})" if named else ""
    return f"{status}{'' if code is None else ' ' + code}: {detail}{fields}{reference}"


def _advice_for(status: int) -> str:
    if 300 <= status < 400:
        return "The service answered with a redirect. Use its present address as base_url."
    return _WITHOUT_PROBLEM.get(status, f"The request was answered with status {status} and no reason.")


def _held_id_of(problem: Dict[str, Any]) -> Optional[str]:
    held_id = problem.get("heldId")
    return held_id if isinstance(held_id, str) and held_id != "" else None


def _read_problem(body: bytes) -> Dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _fields_of(problem: Dict[str, Any]) -> List[FieldProblem]:
    found = problem.get("errors")
    if not isinstance(found, list):
        return []
    return [
        FieldProblem(pointer=one["pointer"], detail=one["detail"])
        for one in found
        if isinstance(one, dict) and isinstance(one.get("pointer"), str) and isinstance(one.get("detail"), str)
    ]
