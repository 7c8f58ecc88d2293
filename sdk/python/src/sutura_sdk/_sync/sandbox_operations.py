# Made of _async/sandbox_operations.py by generate_sync.py: change that one.
"""The clock of the test environment."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Optional, Union

from .._sandbox_answers import to_sandbox_clock
from ..sandbox import SandboxClock
from .operations import Operations, moment_text, without_none


class SandboxOperations(Operations):
    """Moving time, to try an integration with."""

    def get_sandbox_clock(self) -> SandboxClock:
        """The clock of the test environment. Scope ``analysis:write``. ``UnprocessableError`` ``sandbox.clock_live`` for a live key.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        print(client.get_sandbox_clock().now)
        ```
        """
        return self._get(self._address("api", "v1", "sandbox", "clock"), to_sandbox_clock)

    def move_sandbox_clock(
        self,
        *,
        advance: Optional[str] = None,
        now: Union[str, datetime, None] = None,
        idempotency_key: Optional[str] = None,
    ) -> SandboxClock:
        """Moves the clock of the test environment ahead, for the whole organization. Scope ``analysis:write``.

        Either ``advance``, an ISO 8601 duration of whole weeks, days, hours, minutes and seconds (``P28D``, ``PT36H``), or ``now``. Photos
        without a time of their own, reports, what is overdue, retention, the ``timestamp`` of events and links to the review desk follow it.
        It never goes back: ``UnprocessableError`` ``sandbox.clock_back``; ``sandbox.clock_limit`` more than ten years ahead.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        clock = client.move_sandbox_clock(advance="P7D")
        print(clock.now, clock.ahead_seconds)
        ```
        """
        wanted = without_none(advance=advance, now=None if now is None else moment_text(now, "now"))
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        return self._post(self._address("api", "v1", "sandbox", "clock"), wanted, to_sandbox_clock, key)
