"""Pauses of an event loop."""

from __future__ import annotations

import asyncio

from ._clock import Timekeeper


class AsyncClock(Timekeeper):
    """Pauses hold up the task alone."""

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
