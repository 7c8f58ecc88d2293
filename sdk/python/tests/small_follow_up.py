"""Wounds and reports of the small service: the answers of the contract suite, and reviews by If-Match."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Optional, Tuple

from support import SDK

_FIXTURES: Dict[str, Any] = json.loads((SDK / "contract" / "fixtures.json").read_text("utf-8"))
_DOCUMENTS = {"application/pdf": b"%PDF-1.7 report", "text/html": b"<html lang=en>report</html>", "text/plain": b"report"}

Reply = Tuple[int, Any, str, Mapping[str, str]]


def is_follow_up(path: List[str]) -> bool:
    return path[2:3] in (["wounds"], ["reports"])


class SmallFollowUp:
    """One wound, one that was merged into it, and one report in as many versions as it was reviewed."""

    def __init__(self) -> None:
        self.wound: Dict[str, Any] = _FIXTURES["wound"]
        self.report_id: str = _FIXTURES["report"]["id"]
        self.version = 1

    def answer(self, method: str, path: List[str], headers: Any, body: bytes) -> Reply:
        accept = headers.get("Accept", "*/*")
        last = path[-1]
        if method == "GET" and accept in _DOCUMENTS:
            return 200, _DOCUMENTS[accept], accept, {"ETag": self._etag()}
        if method == "POST" and last == "reviews":
            return self._review(json.loads(body), headers.get("If-Match"))
        if method == "POST" and last == "review-links":
            return _json({"id": "l", "url": "https://sutura.example/review/l#secret", "expiresAt": "2026-01-05T08:15:00.000Z"}, 201)
        if "events" in path:
            return self._events(method)
        if last in ("join", "split") or "relations" in path:
            return self._relation(method)
        if method == "POST":
            return _json(self._details(_FATES[last]))
        if last == "wounds":
            return _json({"items": [self.wound, {**self.wound, "id": "merged", "mergedInto": self.wound["id"]}], "nextCursor": None})
        if last == "timeline":
            return _json(_FIXTURES["timeline"])
        if last == "versions":
            return _json({"items": [self._report(number) for number in range(1, self.version + 1)]})
        if last == "reports":
            one = {"id": self.report_id, "version": self.version, "status": "preliminary", "jobId": "j", "imageId": "i", "woundRef": "w"}
            return _json({"items": [{**one, "attention": []}], "nextCursor": None})
        if path[0] == "reports":
            return self._now(200)
        return _json(self._details({}))

    def _review(self, review: Mapping[str, Any], if_match: Optional[str]) -> Reply:
        if if_match != self._etag():
            return _json({"code": "report.stale", "detail": "Read the report again."}, 412)
        self.version += 1
        status, report, kind, headers = self._now(201)
        return status, {**report, "review": {"decision": review["decision"], "reviewer": review["reviewer"]}}, kind, headers

    def _events(self, method: str) -> Reply:
        said = {"note": None, "by": None, "enteredBy": None}
        event = {"id": "e", "wound": self.wound["id"], "type": "debridement", "occurredAt": "2026-03-03T10:15:00.000Z", **said}
        withdrawn = {"withdrawnAt": "2026-03-03T11:00:00.000Z", **said} if method == "DELETE" else None
        event = {**event, "recordedAt": "2026-03-03T10:30:00.000Z", "withdrawn": withdrawn}
        if method == "GET":
            return _json({"items": [event], "nextCursor": None})
        return _json(event, 201 if method == "POST" else 200)

    def _relation(self, method: str) -> Reply:
        said = {"note": None, "by": None, "enteredBy": None}
        withdrawn = {"withdrawnAt": "2026-03-03T11:00:00.000Z", **said} if method == "DELETE" else None
        relation = {"id": "r", "kind": "joined", "whole": self.wound["id"], "parts": [self.wound["id"], "other"], **said}
        moments = {"at": "2026-03-03T10:15:00.000Z", "recordedAt": "2026-03-03T10:30:00.000Z"}
        return _json({**relation, **moments, "withdrawn": withdrawn}, 201 if method == "POST" else 200)

    def _now(self, status: int) -> Reply:
        return status, self._report(self.version), "application/json", {"ETag": self._etag()}

    def _etag(self) -> str:
        return f'"{self.version}.tag"'

    def _report(self, version: int) -> Dict[str, Any]:
        return {**_FIXTURES["report"], "version": version, "status": "preliminary" if version == 1 else "final"}

    def _details(self, fate: Mapping[str, Any]) -> Dict[str, Any]:
        other = {**self.wound, "id": "other"}
        return {**self.wound, "candidates": [other], "events": [], **fate}


_FATES: Mapping[str, Mapping[str, Any]] = {
    "close": {"status": "closed", "closedAt": "2026-01-05T08:00:00.000Z"},
    "reopen": {"status": "open"},
    "merge": {"mergedInto": "other"},
    "unmerge": {"mergedInto": None},
}


def _json(value: Any, status: int = 200) -> Reply:
    return status, value, "application/json", {}
