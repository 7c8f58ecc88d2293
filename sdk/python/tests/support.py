"""What several tests need."""

from __future__ import annotations

import asyncio
import atexit
import inspect
import os
import sys
import time
from pathlib import Path
from typing import Any, List

PACKAGE = Path(__file__).resolve().parent.parent
SDK = PACKAGE.parent
CASES = SDK / "contract" / "cases"
#: Of what is this language's own.
OWN_CASES = PACKAGE / "tests" / "cases"
SERVER = SDK / "contract" / "server.mjs"

if "SUTURA_SDK_INSTALLED" not in os.environ:
    sys.path.insert(0, str(PACKAGE / "src"))

from sutura_sdk import AsyncPages, AsyncSuturaClient  # noqa: E402
from sutura_sdk._async_clock import AsyncClock  # noqa: E402
from sutura_sdk._clock import Clock  # noqa: E402

#: The smallest bytes that show their format.
JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01" + bytes(range(256)) * 4


class RecordingClock(Clock):
    """Begins at 2026-01-05T08:00:00Z and moves on with real time; a pause is written down and takes none."""

    START = 1_767_600_000.0

    def __init__(self) -> None:
        self.pauses: List[float] = []
        self._skipped = 0.0
        self._began = time.monotonic()

    def monotonic(self) -> float:
        return time.monotonic() + self._skipped

    def now(self) -> float:
        return self.START + self.monotonic() - self._began

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self._skipped += seconds


class AsyncRecordingClock(AsyncClock):
    """The same for tasks."""

    def __init__(self) -> None:
        self._clock = RecordingClock()

    @property
    def pauses(self) -> List[float]:
        return self._clock.pauses

    def monotonic(self) -> float:
        return self._clock.monotonic()

    def now(self) -> float:
        return self._clock.now()

    async def sleep(self, seconds: float) -> None:
        self._clock.sleep(seconds)


class LoopedClient:
    """The client for tasks, called as that for threads: a loop runs until the call is done, and stands still between calls."""

    loop = asyncio.new_event_loop()
    atexit.register(loop.close)

    def __init__(self, *words: Any, **options: Any) -> None:
        self._client = AsyncSuturaClient(*words, **options)

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._client, name)
        return self._looped(member) if inspect.ismethod(member) else member

    def __enter__(self) -> "LoopedClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.loop.run_until_complete(self._client.close())

    def _looped(self, method: Any) -> Any:
        async def call(*words: Any, **options: Any) -> Any:
            found = method(*words, **options)
            return [one async for one in found] if isinstance(found, AsyncPages) else await found

        return lambda *words, **options: self.loop.run_until_complete(call(*words, **options))
