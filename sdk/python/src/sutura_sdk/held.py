"""What was accepted and waits for a person."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Literal, Optional, Tuple, TypedDict

from .models import JsonObject, ListPage

HeldAction = Literal["same", "another", "discard", "link", "accept", "same_authority", "own_authority", "retry", "wait"]
"""``same``: the person of the record after all. ``another``: somebody else, whose number is another authority's. ``discard``:
kept in the history, nothing is filed. ``link``: it belongs to what you name. ``accept``: as the service proposes.
``same_authority``, ``own_authority``: what the numbers of a facility are. ``retry``: the photo is analysed once more, at no
charge. ``wait``: off the list until something new comes."""


class HeldThings(TypedDict):
    """Ids of what came and of what it touches, at most 100 of each sort."""

    messageIds: List[str]
    resources: List[str]
    jobIds: List[str]
    imageIds: List[str]
    patientIds: List[str]
    orders: List[str]


@dataclass(frozen=True)
class Held:
    """One thing that waits. ``actions``: what can be done with it; none: it goes on by itself.

    ``reason`` and ``actions`` may have words of later releases. ``door`` is ``rest``, ``fhir``, ``hl7v2`` or ``ehr``;
    ``None``: it came through several. ``waits_for`` says in words what a person has to decide.
    """

    id: str
    environment: Optional[str]
    reason: str
    since: Optional[str]
    door: Optional[str]
    came: HeldThings = field(repr=False, hash=False)
    waits_for: Optional[str]
    actions: Tuple[str, ...]
    raw: JsonObject = field(repr=False, compare=False)


@dataclass(frozen=True)
class HeldPage(ListPage[Held]):
    """One page of what waits, oldest first."""

    raw: JsonObject = field(repr=False, compare=False)
