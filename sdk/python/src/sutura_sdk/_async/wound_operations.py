"""The operations on wounds and their timelines."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any, Callable, Literal, Mapping, Optional, Union

from .._addresses import Address
from .._problems import to_error
from .._wound_answers import to_clinical_event, to_clinical_events, to_timeline, to_wound_details, to_wound_page
from ..models import JsonObject
from ..wounds import ClinicalEvent, ClinicalEventList, Reviewer, Wound, WoundDetails, WoundPage, WoundTimeline
from .operations import Operations, checked_id, moment_text, read_answer, without_none
from .pages import AsyncPages

_CONFLICT = 409


class WoundOperations(Operations):
    """Listing and reading wounds; what people decide about them."""

    async def list_wounds(
        self,
        *,
        patient_id: Optional[str] = None,
        wound_id: Optional[str] = None,
        status: Optional[Literal["open", "closed"]] = None,
        linked: Optional[bool] = None,
        attention: Optional[bool] = None,
        metadata: Optional[Mapping[str, str]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> WoundPage:
        """One page of wounds, newest first, up to 100. ``patient_id`` and ``wound_id`` are your own. Scope ``analysis:read``.

        ``linked=False``: only those whose assessment named no wound, for a person to ``merge_wound``.
        ``attention=True``: only those with a report that waits for a person.
        ``metadata``: only those with a photo whose job has all of these pairs of your own, at most 4.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        page = await client.list_wounds(patient_id="MRN-4711", status="open", limit=10)
        print(len(page.items), page.next_cursor)
        ```
        """
        query = without_none(
            patientId=patient_id,
            woundId=wound_id,
            status=status,
            linked=None if linked is None else str(bool(linked)).lower(),
            attention=None if attention is None else str(bool(attention)).lower(),
            limit=limit,
            cursor=cursor,
        )
        pairs = {f"metadata.{key}": value for key, value in (metadata or {}).items()}
        return await self._get(self._address("api", "v1", "wounds", query={**query, **pairs}), to_wound_page)

    def iterate_wounds(
        self,
        *,
        patient_id: Optional[str] = None,
        wound_id: Optional[str] = None,
        status: Optional[Literal["open", "closed"]] = None,
        linked: Optional[bool] = None,
        attention: Optional[bool] = None,
        metadata: Optional[Mapping[str, str]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> AsyncPages[WoundPage, Wound]:
        """Every wound of all pages, newest first; ``limit`` is the size of a page. Pages are read as they are needed.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        async for wound in client.iterate_wounds(linked=False):
            print(wound.id, wound.created_at)
        ```
        """
        return AsyncPages(
            lambda at: self.list_wounds(
                patient_id=patient_id,
                wound_id=wound_id,
                status=status,
                linked=linked,
                attention=attention,
                metadata=metadata,
                limit=limit,
                cursor=at,
            ),
            cursor,
        )

    async def get_wound(self, wound_id: str) -> WoundDetails:
        """Reads a wound, by the service's id. Scope ``analysis:read``. ``NotFoundError`` ``wound.not_found``.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        for found in (await client.list_wounds(patient_id="MRN-4711")).items:
            wound = await client.get_wound(found.id)
            print(wound.status, [event.decision for event in wound.events], len(wound.candidates))
        ```
        """
        return await self._get(self._wound_address(wound_id), to_wound_details)

    async def get_wound_timeline(
        self, wound_id: str, *, from_: Union[str, datetime, None] = None, to: Union[str, datetime, None] = None
    ) -> WoundTimeline:
        """Every assessment of a wound in the order of the photos, compared with the one before and the first.

        Scope ``analysis:read``. ``from_`` and ``to``: only photos taken between them. A photo that arrives late is inserted
        at its capture time. ``NotFoundError`` ``wound.not_found``.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        async for wound in client.iterate_wounds(patient_id="MRN-4711"):
            for one in (await client.get_wound_timeline(wound.id, from_="2026-01-01T00:00:00Z")).assessments:
                area = one.area_cm2["value"] if one.area_cm2 else one.no_trend_reason
                change = one.since_previous["areaPct"] if one.since_previous else None
                print(one.sequence, one.captured_at, area, change, one.trend, [flag["code"] for flag in one.flags])
        ```
        """
        query = without_none(**{"from": moment_text(from_, "from_"), "to": moment_text(to, "to")})
        return await self._get(self._wound_address(wound_id, "timeline", query=query), to_timeline)

    async def merge_wound(
        self, wound_id: str, *, into: str, reviewer: Optional[Reviewer] = None, note: Optional[str] = None
    ) -> WoundDetails:
        """A person found two wounds of one patient to be the same: from now on their assessments are one series.

        Scope ``analysis:review``. ``unmerge_wound`` undoes it. ``ConflictError`` ``wound.merge_refused`` for wounds of two
        patients, or one that is merged already; ``NotFoundError`` ``wound.not_found``.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        async for found in client.iterate_wounds(linked=False):
            wound = await client.get_wound(found.id)
            if len(wound.candidates) == 1:
                print(f"Is {wound.id} the same wound as {wound.candidates[0].id}?")
                await client.merge_wound(wound.id, into=wound.candidates[0].id, reviewer={"id": "HCP-0042", "name": "Example Reviewer"})
        ```
        """
        decision = without_none(into=checked_id(into, "into"), reviewer=reviewer, note=note)
        return await self._decide_once(wound_id, "merge", decision, stands=lambda wound: wound.merged_into == into)

    async def unmerge_wound(self, wound_id: str, *, reviewer: Optional[Reviewer] = None, note: Optional[str] = None) -> WoundDetails:
        """Takes a merged wound out again, with everything that had been merged into it. Scope ``analysis:review``.

        ``ConflictError`` ``wound.not_merged``; ``NotFoundError`` ``wound.not_found``.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        async for wound in client.iterate_wounds(patient_id="MRN-4711"):
            if wound.merged_into is not None:
                await client.unmerge_wound(wound.id, note="Two wounds after all.")
        ```
        """
        decision = without_none(reviewer=reviewer, note=note)
        return await self._decide_once(wound_id, "unmerge", decision, stands=lambda wound: wound.merged_into is None)

    async def close_wound(
        self,
        wound_id: str,
        *,
        reviewer: Optional[Reviewer] = None,
        note: Optional[str] = None,
        decided_at: Union[str, datetime, None] = None,
        reason: Optional[str] = None,
    ) -> WoundDetails:
        """A person found the wound closed; the service never does. Later photos are filed under it and do not reopen it.

        ``decided_at``: when the person decided, now if absent; photos taken before it belong to the course before.
        ``reason``: ``healed`` alone is a cure; ``amputated``, ``grafted``, ``merged``, ``transferred``, ``died``,
        ``entered_in_error``, or ``other``, which counts if absent.

        Scope ``analysis:review``. ``ConflictError`` ``wound.merged`` for a wound that is part of another; ``NotFoundError``
        ``wound.not_found``.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        for wound in (await client.list_wounds(patient_id="MRN-4711", wound_id="W1")).items:
            closed = await client.close_wound(wound.id, reviewer={"id": "HCP-0042", "name": "Example Reviewer"}, note="Epithelialised.")
            print(closed.status, closed.closed_at)
        ```
        """
        return await self._decide(
            wound_id,
            "close",
            without_none(
                reviewer=reviewer, note=note, reason=reason, decidedAt=moment_text(decided_at, "decided_at")
            ),
        )

    async def reopen_wound(
        self,
        wound_id: str,
        *,
        reviewer: Optional[Reviewer] = None,
        note: Optional[str] = None,
        decided_at: Union[str, datetime, None] = None,
    ) -> WoundDetails:
        """A person found a closed wound open again. Scope ``analysis:review``. Errors as for ``close_wound``.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        for wound in (await client.list_wounds(patient_id="MRN-4711", status="closed")).items:
            print((await client.reopen_wound(wound.id)).status)
        ```
        """
        return await self._decide(
            wound_id, "reopen", without_none(reviewer=reviewer, note=note, decidedAt=moment_text(decided_at, "decided_at"))
        )

    async def list_clinical_events(self, wound_id: str) -> ClinicalEventList:
        """The clinical events of a wound, oldest first, withdrawn ones too. Scope ``analysis:read``.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        for wound in (await client.list_wounds(patient_id="MRN-4711")).items:
            print([event.type for event in (await client.list_clinical_events(wound.id)).items if event.withdrawn is None])
        ```
        """
        return await self._get(self._wound_address(wound_id, "events"), to_clinical_events)

    async def record_clinical_event(
        self,
        wound_id: str,
        *,
        type: str,
        occurred_at: Union[str, datetime],
        note: Optional[str] = None,
        by: Optional[Reviewer] = None,
        idempotency_key: Optional[str] = None,
    ) -> ClinicalEvent:
        """Records what was done to a wound. Scope ``analysis:review``.

        After ``debridement``, ``graft`` and ``surgery`` the next photo within a week is a new baseline of the area.
        ``ConflictError`` ``wound.events_full``; ``NotFoundError`` ``wound.not_found``.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        for wound in (await client.list_wounds(patient_id="MRN-4711", wound_id="W1")).items:
            event = await client.record_clinical_event(wound.id, type="debridement", occurred_at="2026-03-03T10:15:00Z")
            print(event.id)
        ```
        """
        stated = without_none(type=type, occurredAt=moment_text(occurred_at, "occurred_at"), note=note, by=by)
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        return await self._post(self._wound_address(wound_id, "events"), stated, to_clinical_event, key)

    async def withdraw_clinical_event(
        self, wound_id: str, event_id: str, *, note: Optional[str] = None, by: Optional[Reviewer] = None
    ) -> ClinicalEvent:
        """Takes an event back, as if it had never been; it stays in the list. Scope ``analysis:review``.

        ``NotFoundError`` ``wound.event_not_found``.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        for wound in (await client.list_wounds(patient_id="MRN-4711", wound_id="W1")).items:
            for event in (await client.list_clinical_events(wound.id)).items:
                if event.withdrawn is None and event.type == "debridement":
                    await client.withdraw_clinical_event(wound.id, event.id, note="The other heel.")
        ```
        """
        address = self._wound_address(wound_id, "events", checked_id(event_id, "event_id"))
        return await self._delete(address, without_none(note=note, by=by), to_clinical_event)

    async def _decide(self, wound_id: str, action: str, decision: JsonObject) -> WoundDetails:
        return await self._post(self._wound_address(wound_id, action), decision, to_wound_details)

    async def _decide_once(
        self, wound_id: str, action: str, decision: JsonObject, *, stands: Callable[[WoundDetails], bool]
    ) -> WoundDetails:
        """A decision that the service refuses where it stands already: of a repeat that is what was asked for."""
        address = self._wound_address(wound_id, action)
        answer = await self._send_post(address, decision, accepted_on_repeat=frozenset((_CONFLICT,)))
        if answer.status != _CONFLICT:
            return read_answer(answer, to_wound_details)
        wound = await self.get_wound(wound_id)
        if stands(wound):
            return wound
        raise to_error(answer.status, answer.body, answer.request_id, None)

    def _wound_address(self, wound_id: str, *segments: str, query: Optional[Mapping[str, Any]] = None) -> Address:
        return self._address("api", "v1", "wounds", checked_id(wound_id, "wound_id"), *segments, query=query)
