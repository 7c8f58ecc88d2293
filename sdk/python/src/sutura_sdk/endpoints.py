"""Webhooks as they are set up: the addresses that are told of events, and what became of each event."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Optional, Tuple

from .models import JsonObject, ListPage

#: ``ids``: ids of the service, codes and figures. ``full``: your own ids, names and clinical text as well.
WebhookContent = Literal["ids", "full"]
#: ``v1``: HMAC-SHA256 with the secret. ``v1a``: ed25519, checked with the public key.
WebhookSignature = Literal["v1", "v1a"]
DeliveryState = Literal["waiting", "delivered", "parked", "discarded", "collapsed", "moved"]


@dataclass(frozen=True)
class Webhook:
    """An address that is told of events. Moments are RFC 3339 texts.

    ``types``: those that are told; empty: all, those of later releases too. ``state`` is ``active``, ``paused`` (by you) or
    ``disabled`` (by the service: ``disabled_for`` is ``gone`` or ``failing``); events wait until it is resumed.
    ``previous_keys_until``: so long the keys before the last rotation sign as well.
    """

    id: str
    url: str
    types: Tuple[str, ...]
    content: str
    signatures: Tuple[str, ...]
    state: str
    disabled_at: Optional[str]
    disabled_for: Optional[str]
    failing_since: Optional[str]
    public_key: Optional[str]
    previous_keys_until: Optional[str]
    created_at: Optional[str]
    raw: JsonObject = field(repr=False, compare=False)


@dataclass(frozen=True)
class WebhookWithSecret(Webhook):
    """A webhook with its new ``secret``, which is shown this once and is in no ``repr``: keep it for ``verify_webhook``."""

    secret: str = field(repr=False)


@dataclass(frozen=True)
class WebhookTrial:
    """How an endpoint answered a test event; ``fault`` says as a code why there was no answer."""

    delivered: bool
    status_code: Optional[int]
    fault: Optional[str]
    duration_ms: Optional[int]
    raw: JsonObject = field(repr=False, compare=False)


@dataclass(frozen=True)
class WebhookDelivery:
    """An event on its way to a webhook. ``event_id`` is the ``webhook-id`` of every attempt.

    ``next_at``: while it waits, when it is tried again at the earliest.
    """

    id: str
    event_id: Optional[str]
    type: str
    sequence: Optional[int]
    state: str
    attempts: Optional[int]
    status_code: Optional[int]
    fault: Optional[str]
    created_at: Optional[str]
    next_at: Optional[str]
    delivered_at: Optional[str]
    raw: JsonObject = field(repr=False, compare=False)


@dataclass(frozen=True)
class DeliveryAttempt:
    """One try; ``answer`` is the beginning of what the receiver said."""

    at: str
    status_code: Optional[int]
    fault: Optional[str]
    duration_ms: Optional[int]
    delivered: bool
    answer: Optional[str] = field(repr=False)


@dataclass(frozen=True)
class WebhookDeliveryDetail(WebhookDelivery):
    """A delivery with its body as it is sent, and every attempt, oldest first."""

    body: JsonObject = field(repr=False, hash=False)
    log: Tuple[DeliveryAttempt, ...]


@dataclass(frozen=True)
class DeliveryPage(ListPage[WebhookDelivery]):
    """One page of deliveries, newest first."""

    raw: JsonObject = field(repr=False, compare=False)
