"""Photos that were drawn for tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Optional, Tuple, TypedDict

from .models import JsonObject


class SampleSeen(TypedDict):
    """What came of a sample, sent alone for a patient and a wound of its own. No promise of another model.

    ``job`` is ``completed`` or ``refused``; ``refusedWith`` is the code of the refusal, with which the rest is ``None``.
    ``outlines`` and ``areaCm2`` (to a tenth) are ``None`` where the outline is not reliable, ``areaCm2`` also without a scale.
    ``necrosisShare``: of the wound bed, 0 to 1. ``attention``: why its report waits for a person.
    """

    job: str
    refusedWith: Optional[str]
    woundDetected: Optional[bool]
    acceptable: Optional[bool]
    outlineReliable: Optional[bool]
    outlines: Optional[int]
    areaCm2: Optional[float]
    necrosisShare: Optional[float]
    warnings: List[str]
    attention: List[str]


@dataclass(frozen=True)
class Sample:
    """A photo that was drawn for tests. Nobody is shown.

    ``sha256`` is in hex; ``width`` and ``height`` in pixels. ``drawn_area_cm2``: of the larger wound, as it was drawn; ``None``: none
    was. ``series``: ``name`` and ``number`` of its place in a series; ``None``: it stands alone.
    """

    name: str
    shows: str
    content_type: str
    size_bytes: int
    sha256: str
    width: Optional[int]
    height: Optional[int]
    drawn_area_cm2: Optional[float]
    series: Optional[JsonObject] = field(hash=False)
    seen: SampleSeen = field(repr=False, hash=False)
    links: JsonObject = field(repr=False, hash=False)
    raw: JsonObject = field(repr=False, compare=False)


@dataclass(frozen=True)
class SampleSeries:
    """Photos of one wound, sent in their order for one patient and wound.

    ``days_apart``: between the ``captured_at`` of one photo and the next. ``seen``: ``verdict`` and ``flags`` of the last report.
    """

    name: str
    days_apart: int
    seen: JsonObject = field(hash=False)
    raw: JsonObject = field(repr=False, compare=False)


@dataclass(frozen=True)
class SampleList:
    """All samples of the service.

    ``seen_with``: the models whose answers were seen, with ``name``, ``version`` and ``sha256``. ``seen_with_active_models`` is
    ``False`` where this installation analyses with others, which may answer otherwise.
    """

    items: Tuple[Sample, ...]
    series: Tuple[SampleSeries, ...]
    seen_with: Tuple[JsonObject, ...] = field(hash=False)
    seen_on: Optional[str]
    seen_with_active_models: Optional[bool]
    next_cursor: Optional[str]
    raw: JsonObject = field(repr=False, compare=False)
