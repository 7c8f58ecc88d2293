"""The operations on wounds that grew together, and such that fell into several."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Optional, Sequence, Union

from .._wound_answers import to_wound_relation
from ..models import JsonObject
from ..wounds import Reviewer, WoundRelation
from .operations import Operations, checked_id, moment_text, without_none


class RelationOperations(Operations):
    """What grew together and what fell apart."""

    async def join_wounds(
        self,
        wound_id: str,
        *,
        from_: Sequence[str],
        at: Union[str, datetime],
        note: Optional[str] = None,
        by: Optional[Reviewer] = None,
        idempotency_key: Optional[str] = None,
    ) -> WoundRelation:
        """The wounds of ``from_`` have grown together into this one. Scope ``analysis:review``.

        This wound is among them where it goes on under its number; the others end. Its area is compared with the sum of
        theirs. ``ConflictError`` ``wound.relation_refused``, ``wound.merged``; ``NotFoundError`` ``wound.not_found``.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        upper = (await client.list_wounds(patient_id="MRN-4711", wound_id="upper")).items
        lower = (await client.list_wounds(patient_id="MRN-4711", wound_id="lower")).items
        if upper and lower:
            relation = await client.join_wounds(upper[0].id, from_=[upper[0].id, lower[0].id], at="2026-03-03T10:15:00Z")
            print(relation.id)
        ```
        """
        return await self._relate(wound_id, "join", {"from": list(from_)}, at, note, by, idempotency_key)

    async def split_wound(
        self,
        wound_id: str,
        *,
        into: Sequence[str],
        at: Union[str, datetime],
        note: Optional[str] = None,
        by: Optional[Reviewer] = None,
        idempotency_key: Optional[str] = None,
    ) -> WoundRelation:
        """This wound has fallen into those of ``into``, itself among them where it goes on. Scope ``analysis:review``.

        Its parts are compared together with what it was, and each by itself from then on. Errors as for ``join_wounds``.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        upper = (await client.list_wounds(patient_id="MRN-4711", wound_id="upper")).items
        lower = (await client.list_wounds(patient_id="MRN-4711", wound_id="lower")).items
        if upper and lower:
            relation = await client.split_wound(upper[0].id, into=[upper[0].id, lower[0].id], at="2026-03-03T10:15:00Z")
            print(relation.kind)
        ```
        """
        return await self._relate(wound_id, "split", {"into": list(into)}, at, note, by, idempotency_key)

    async def withdraw_wound_relation(
        self, wound_id: str, relation_id: str, *, note: Optional[str] = None, by: Optional[Reviewer] = None
    ) -> WoundRelation:
        """Takes a relation back, as if it had never been; what had ended is open again. Scope ``analysis:review``.

        ``NotFoundError`` ``wound.relation_not_found``.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        for wound in (await client.list_wounds(patient_id="MRN-4711", wound_id="upper")).items:
            for relation in (await client.get_wound(wound.id)).relations:
                if relation.withdrawn is None:
                    await client.withdraw_wound_relation(wound.id, relation.id, note="The other leg.")
        ```
        """
        address = self._address(
            "api",
            "v1",
            "wounds",
            checked_id(wound_id, "wound_id"),
            "relations",
            checked_id(relation_id, "relation_id"),
        )
        return await self._delete(address, without_none(note=note, by=by), to_wound_relation)

    async def _relate(
        self,
        wound_id: str,
        action: str,
        parts: JsonObject,
        at: Union[str, datetime],
        note: Optional[str],
        by: Optional[Reviewer],
        idempotency_key: Optional[str],
    ) -> WoundRelation:
        address = self._address("api", "v1", "wounds", checked_id(wound_id, "wound_id"), action)
        stated = {**parts, **without_none(at=moment_text(at, "at"), note=note, by=by)}
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        return await self._post(address, stated, to_wound_relation, key)
