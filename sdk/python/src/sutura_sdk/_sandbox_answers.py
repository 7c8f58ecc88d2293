"""JSON answers about the clock of the test environment."""

from __future__ import annotations

from ._fields import number, optional, required
from .models import JsonObject
from .sandbox import SandboxClock


def to_sandbox_clock(value: JsonObject) -> SandboxClock:
    return SandboxClock(
        now=required(value, "now", str),
        ahead_seconds=number(value, "aheadSeconds"),
        latest=optional(value, "latest", str),
        raw=value,
    )
