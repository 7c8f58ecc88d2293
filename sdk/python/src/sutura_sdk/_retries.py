"""When a request is repeated, and after what pause."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from typing import NamedTuple, Optional

from ._clock import Timekeeper
from .errors import NetworkError, RequestTimeoutError, SuturaError

_RETRIED_STATUSES = frozenset((408, 429, 502, 503, 504))
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 8.0
_HIGHEST_DOUBLING = 16


class RetryPolicy(NamedTuple):
    """``max_retries`` repeats at most, and none that would have to wait longer than ``max_retry_after`` seconds."""

    max_retries: int
    max_retry_after: float

    def pause_before_repeat(self, error: SuturaError, attempt: int, keyed: bool, clock: Timekeeper) -> Optional[float]:
        """Seconds until attempt ``attempt + 1``; ``None`` where there is to be none."""
        return None if attempt >= self.max_retries else self.pause_in_outage(error, attempt, clock, keyed)

    def pause_in_outage(self, error: SuturaError, attempt: int, clock: Timekeeper, keyed: bool = False) -> Optional[float]:
        """The same, however many attempts failed before."""
        if not _may_pass(error, attempt, keyed):
            return None
        if error.retry_after is not None:
            return error.retry_after if error.retry_after <= self.max_retry_after else None
        return clock.between(0.0, min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2 ** min(attempt, _HIGHEST_DOUBLING)))


def is_lost(error: SuturaError) -> bool:
    """Whether the service may have done what was asked although its answer did not arrive."""
    return isinstance(error, (NetworkError, RequestTimeoutError)) or error.status in (502, 504)


def may_be_done(error: SuturaError) -> bool:
    """Likewise, but for a connection that was never there. A 503 may come of a fault on the way back, or of a proxy."""
    return (is_lost(error) or error.status == 503) and not (isinstance(error, NetworkError) and error._was_never_there)


def _may_pass(error: SuturaError, attempt: int, keyed: bool) -> bool:
    if isinstance(error, NetworkError):
        return error._retryable
    if isinstance(error, RequestTimeoutError):
        return True
    if error.code == "idempotency.in_flight":
        # Of a repeat: the first attempt, whose answer was lost, still runs.
        return keyed and attempt > 0
    return error.status in _RETRIED_STATUSES


def parse_retry_after(text: Optional[str], clock: Timekeeper) -> Optional[float]:
    """Seconds from now, of a header in seconds or as a date (RFC 9110 10.2.3); ``None`` where it cannot be read."""
    if text is None:
        return None
    if re.fullmatch(r"\s*\d{1,9}\s*", text):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError):
        return None
    return max(0.0, moment.timestamp() - clock.now())
