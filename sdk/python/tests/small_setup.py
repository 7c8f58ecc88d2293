"""Webhooks, what waits, models, cards, samples and the clock of the small service: the examples of the documentation."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Tuple

from support import JPEG

Reply = Tuple[int, Any, str, Mapping[str, str]]

_AT = "2026-01-05T08:00:00.000Z"
_WEBHOOK: Mapping[str, Any] = {
    "id": "w-1",
    "url": "https://ward.example.org/sutura",
    "types": ["report.ready"],
    "content": "ids",
    "signatures": ["v1"],
    "state": "active",
    "disabledAt": None,
    "disabledFor": None,
    "failingSince": None,
    "publicKey": "whpk_x",
    "previousKeysUntil": None,
    "createdAt": _AT,
}
SECRET = "whsec_c2hvd24gb25jZSwgbm90IGEgc2VjcmV0IG9mIGFueWJvZHk="
_DELIVERY: Mapping[str, Any] = {"id": "d-1", "eventId": "e-1", "type": "report.ready", "sequence": 1, "state": "parked", "attempts": 1}
_HELD: Mapping[str, Any] = {
    "id": "h-1",
    "environment": "test",
    "reason": "photo_times_out",
    "since": _AT,
    "door": "rest",
    "came": {"messageIds": [], "resources": [], "jobIds": ["j-1"], "imageIds": [], "patientIds": [], "orders": []},
    "waitsFor": "Whether it is tried once more.",
    "actions": ["retry"],
}
_MODEL: Mapping[str, Any] = {
    "name": "wound-segmentation-fast",
    "version": "0.7.1",
    "task": "wound-segmentation",
    "variant": "fast",
    "sha256": "66",
    "active": True,
    "researchOnly": True,
    "licence": "Research only.",
    "metrics": None,
    "card": None,
    "links": {},
}
_SEEN: Mapping[str, Any] = {"job": "completed", "refusedWith": None, "outlines": 1, "areaCm2": 8.4, "warnings": [], "attention": []}
_SAMPLE: Mapping[str, Any] = {
    "name": "clean-wound",
    "shows": "One wound with the small calibration card.",
    "contentType": "image/jpeg",
    "sizeBytes": len(JPEG),
    "sha256": "a7",
    "series": None,
    "seen": _SEEN,
}
_CARDS = [{"size": "a4", "barMm": 100, "measuredBarMm": 98.5, "measuredAt": _AT}]


def is_setup(path: List[str]) -> bool:
    return path[2:3] in (["webhooks"], ["held"], ["models"], ["calibration-card"], ["calibration-card.pdf"], ["samples"], ["sandbox"])


def answer_setup(method: str, path: List[str]) -> Reply:
    """``path`` from the kind of thing on."""
    if path == ["calibration-card.pdf"]:
        return 200, b"%PDF-1.7 card", "application/pdf", {}
    if path[0] == "samples" and len(path) == 2:
        return 200, JPEG, "image/jpeg", {}
    if path == ["samples"]:
        return _json({**_list([_SAMPLE]), "series": [], "seenWith": [], "seenOn": "2026-11-30", "seenWithActiveModels": True})
    if path == ["sandbox", "clock"]:
        return _json({"now": _AT, "aheadSeconds": 604800, "latest": "2036-01-03T08:00:00.000Z"})
    if method == "DELETE" or path[-1] in ("park", "discard"):
        return _json(None, 204)
    if path[0] == "webhooks":
        return _webhooks(method, path)
    whole: Dict[str, Any] = {"models": [_MODEL], "calibration-card": _CARDS, "held": [_HELD]}
    return _json(_list(whole[path[0]]) if len(path) == 1 else _HELD)


def _webhooks(method: str, path: List[str]) -> Reply:
    if path[-1] == "deliveries":
        return _json(_list([_DELIVERY]))
    if "deliveries" in path:
        return _json({**_DELIVERY, "body": {}, "log": []}) if method == "GET" else _json(None, 202)
    if path[-1] == "test":
        return _json({"delivered": True, "statusCode": 204, "fault": None, "durationMs": 31})
    if path[-1] == "replay":
        return _json({"replayed": 12}, 202)
    if path == ["webhooks"] and method == "GET":
        return _json(_list([_WEBHOOK]))
    if path[-1] in ("webhooks", "rotate"):
        return _json({**_WEBHOOK, "secret": SECRET}, 201)
    return _json(_WEBHOOK)


def _list(items: List[Any]) -> Dict[str, Any]:
    return {"items": items, "nextCursor": None}


def _json(value: Any, status: int = 200) -> Reply:
    return status, value, "application/json", {}
