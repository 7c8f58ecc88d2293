"""What happened, as the log of the service has it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional

from .models import JsonObject, ListPage


@dataclass(frozen=True)
class LoggedEvent:
    """An event in the log. Moments are RFC 3339 texts. Types and fields are added over time: pass over those that you do not know.

    ``id`` is that of the header ``webhook-id``: drop what you have had from a webhook. ``recorded_at`` is when it came into
    the log, and rises along the list. ``data`` is that of a webhook with the content ``ids``, without ``sequence``.
    """

    id: str
    type: str
    timestamp: str
    recorded_at: str
    data: JsonObject = field(repr=False)
    raw: JsonObject = field(repr=False, compare=False)


@dataclass(frozen=True)
class EventPage(ListPage[LoggedEvent]):
    """One page of the log, oldest first.

    ``kept_since``: the log has what happened from then on, but what was erased. A later moment than your ``since``: you may
    have missed more. ``resume_cursor``: where to go on, also behind the last page; ``None``: of an older release.
    """

    kept_since: str
    resume_cursor: Optional[str]
    raw: JsonObject = field(repr=False, compare=False)
