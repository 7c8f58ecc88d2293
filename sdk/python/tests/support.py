"""What several tests need."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import List

PACKAGE = Path(__file__).resolve().parent.parent
SDK = PACKAGE.parent
CASES = SDK / "contract" / "cases"
SERVER = SDK / "contract" / "server.mjs"

if "SUTURA_SDK_INSTALLED" not in os.environ:
    sys.path.insert(0, str(PACKAGE / "src"))

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
