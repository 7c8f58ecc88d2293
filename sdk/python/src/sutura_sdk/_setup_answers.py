"""JSON answers to webhooks, held things, models and calibration cards."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

from ._fields import Unlike, number, objects, optional, required
from .endpoints import (
    DeliveryAttempt,
    DeliveryPage,
    Webhook,
    WebhookDelivery,
    WebhookDeliveryDetail,
    WebhookTrial,
    WebhookWithSecret,
)
from .held import Held, HeldPage
from .installation import CalibrationCard, Model
from .models import JsonObject


def to_webhook(value: JsonObject) -> Webhook:
    return Webhook(**_webhook_fields(value))


def to_webhook_with_secret(value: JsonObject) -> WebhookWithSecret:
    return WebhookWithSecret(**_webhook_fields(value), secret=required(value, "secret", str))


def to_webhooks(value: JsonObject) -> Tuple[Webhook, ...]:
    return tuple(to_webhook(item) for item in objects(value, "items"))


def to_trial(value: JsonObject) -> WebhookTrial:
    return WebhookTrial(
        delivered=required(value, "delivered", bool),
        status_code=optional(value, "statusCode", int),
        fault=optional(value, "fault", str),
        duration_ms=optional(value, "durationMs", int),
        raw=value,
    )


def to_delivery(value: JsonObject) -> WebhookDelivery:
    return WebhookDelivery(**_delivery_fields(value))


def to_delivery_page(value: JsonObject) -> DeliveryPage:
    items = tuple(to_delivery(item) for item in objects(value, "items"))
    return DeliveryPage(items=items, next_cursor=optional(value, "nextCursor", str), raw=value)


def to_delivery_detail(value: JsonObject) -> WebhookDeliveryDetail:
    return WebhookDeliveryDetail(
        **_delivery_fields(value),
        body=required(value, "body", dict),
        log=tuple(_to_attempt(one) for one in objects(value, "log")),
    )


def to_replayed(value: JsonObject) -> int:
    replayed: int = required(value, "replayed", int)
    return replayed


def to_held(value: JsonObject) -> Held:
    return Held(
        id=required(value, "id", str),
        environment=optional(value, "environment", str),
        reason=required(value, "reason", str),
        since=optional(value, "since", str),
        door=optional(value, "door", str),
        came=required(value, "came", dict),
        waits_for=optional(value, "waitsFor", str),
        actions=tuple(required(value, "actions", list)),
        raw=value,
    )


def to_held_page(value: JsonObject) -> HeldPage:
    items = tuple(to_held(item) for item in objects(value, "items"))
    return HeldPage(items=items, next_cursor=optional(value, "nextCursor", str), raw=value)


def to_models(value: JsonObject) -> Tuple[Model, ...]:
    return tuple(_to_model(item) for item in objects(value, "items"))


def to_cards(value: JsonObject) -> Tuple[CalibrationCard, ...]:
    return tuple(_to_card(item) for item in objects(value, "items"))


def _webhook_fields(value: JsonObject) -> Dict[str, Any]:
    return {
        "id": required(value, "id", str),
        "url": required(value, "url", str),
        "types": tuple(required(value, "types", list)),
        "content": required(value, "content", str),
        "signatures": tuple(optional(value, "signatures", list) or ()),
        "state": required(value, "state", str),
        "disabled_at": optional(value, "disabledAt", str),
        "disabled_for": optional(value, "disabledFor", str),
        "failing_since": optional(value, "failingSince", str),
        "public_key": optional(value, "publicKey", str),
        "previous_keys_until": optional(value, "previousKeysUntil", str),
        "created_at": optional(value, "createdAt", str),
        "raw": value,
    }


def _delivery_fields(value: JsonObject) -> Dict[str, Any]:
    return {
        "id": required(value, "id", str),
        "event_id": optional(value, "eventId", str),
        "type": required(value, "type", str),
        "sequence": optional(value, "sequence", int),
        "state": required(value, "state", str),
        "attempts": optional(value, "attempts", int),
        "status_code": optional(value, "statusCode", int),
        "fault": optional(value, "fault", str),
        "created_at": optional(value, "createdAt", str),
        "next_at": optional(value, "nextAt", str),
        "delivered_at": optional(value, "deliveredAt", str),
        "raw": value,
    }


def _to_attempt(value: JsonObject) -> DeliveryAttempt:
    return DeliveryAttempt(
        at=required(value, "at", str),
        status_code=optional(value, "statusCode", int),
        fault=optional(value, "fault", str),
        duration_ms=optional(value, "durationMs", int),
        delivered=required(value, "delivered", bool),
        answer=optional(value, "answer", str),
    )


def _to_model(value: JsonObject) -> Model:
    return Model(
        name=required(value, "name", str),
        version=required(value, "version", str),
        task=required(value, "task", str),
        variant=optional(value, "variant", str),
        sha256=required(value, "sha256", str),
        active=required(value, "active", bool),
        research_only=required(value, "researchOnly", bool),
        licence=optional(value, "licence", str),
        metrics=optional(value, "metrics", dict),
        card=optional(value, "card", str),
        links=optional(value, "links", dict) or {},
        raw=value,
    )


def _to_card(value: JsonObject) -> CalibrationCard:
    return CalibrationCard(
        size=required(value, "size", str),
        bar_mm=_required_number(value, "barMm"),
        measured_bar_mm=number(value, "measuredBarMm"),
        measured_at=optional(value, "measuredAt", str),
        raw=value,
    )


def _required_number(value: JsonObject, name: str) -> float:
    found: Optional[float] = number(value, name)
    if found is None:
        raise Unlike(f'has no usable "{name}"')
    return found
