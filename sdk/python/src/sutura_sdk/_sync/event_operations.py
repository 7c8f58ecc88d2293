# Made of _async/event_operations.py by generate_sync.py: change that one.
"""The log of what happened."""

from __future__ import annotations

from datetime import datetime
from typing import Optional, Union

from .._fields import objects, optional, required
from ..event_log import EventPage, LoggedEvent
from ..models import JsonObject
from .operations import Operations, moment_text, without_none
from .pages import Pages


class EventOperations(Operations):
    """Reading what happened, to catch up from."""

    def list_events(
        self,
        *,
        type: Optional[str] = None,
        since: Union[str, datetime, None] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> EventPage:
        """One page of the last 30 days, oldest first, up to 100 events. Scope ``analysis:read``.

        ``since``: events that came into the log then or later.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        page = client.list_events(type="report.ready", since="2026-03-15T08:00:00Z", limit=100)
        print(len(page.items), page.next_cursor, page.kept_since)
        ```
        """
        query = without_none(
            type=type,
            since=moment_text(since, "since"),
            limit=limit,
            cursor=cursor,
        )
        return self._get(self._address("api", "v1", "events", query=query), _to_page)

    def iterate_events(
        self,
        *,
        type: Optional[str] = None,
        since: Union[str, datetime, None] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Pages[EventPage, LoggedEvent]:
        """Every event of all pages, oldest first; ``limit`` is the size of a page. Pages are read as they are needed.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for event in client.iterate_events(since="2026-03-15T08:00:00Z"):
            print(event.id, event.type, event.recorded_at)
        ```
        """
        return Pages(lambda at: self.list_events(type=type, since=since, limit=limit, cursor=at), cursor)


def _to_page(value: JsonObject) -> EventPage:
    return EventPage(
        items=tuple(_to_event(item) for item in objects(value, "items")),
        next_cursor=optional(value, "nextCursor", str),
        kept_since=required(value, "keptSince", str),
        resume_cursor=optional(value, "resumeCursor", str),
        raw=value,
    )


def _to_event(value: JsonObject) -> LoggedEvent:
    return LoggedEvent(
        id=required(value, "id", str),
        type=required(value, "type", str),
        timestamp=required(value, "timestamp", str),
        recorded_at=required(value, "recordedAt", str),
        data=required(value, "data", dict),
        raw=value,
    )
