"""Time and chance, in one place so that tests can give their own."""

from __future__ import annotations

import random
import time


class Timekeeper:
    """The machine's own, without a pause."""

    def monotonic(self) -> float:
        """Seconds that only ever grow."""
        return time.monotonic()

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def between(self, low: float, high: float) -> float:
        return random.uniform(low, high)


class Clock(Timekeeper):
    """Pauses hold up the thread."""

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)
