"""The clock of the test environment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional

from .models import JsonObject


@dataclass(frozen=True)
class SandboxClock:
    """The clock of an organization's test environment.

    ``now`` is its time as the answer was written; it goes on at the pace of real time. ``ahead_seconds``: how far ahead of real time it
    is; 0: it was never moved. ``latest``: the latest moment to which it can be set at present. Times are RFC 3339.
    """

    now: str
    ahead_seconds: Optional[float]
    latest: Optional[str]
    raw: JsonObject = field(repr=False, compare=False)
