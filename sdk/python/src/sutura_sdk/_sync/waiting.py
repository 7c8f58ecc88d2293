# Made of _async/waiting.py by generate_sync.py: change that one.
"""Waiting for the end of a job, with as few requests and as little delay as the service allows."""

from __future__ import annotations

from typing import NamedTuple, Optional

from .._addresses import Address
from .._answers import read_json, to_job
from .._calls import Answer, Call, USER_AGENT
from .._retries import parse_retry_after
from ..errors import JobFailedError, RateLimitError, SuturaError, WaitTimeoutError
from ..models import AnyJob, EndedJob, JobError, OnProgress, WaitProgress
from .transport import Transport

_LONGEST_HOLD_S = 20
_FIRST_INTERVAL_S = 1.0
_LONGEST_INTERVAL_S = 5.0
_INTERVAL_GROWTH = 1.5
_FIRST_SPREAD_S = 0.5
_LONGEST_SPREAD_S = 15.0
#: A read that began in time may end a little late, rather than be given up with its answer on the way.
_GRACE_S = 2.0
#: A hold that ended this much before its time was still a hold.
_HOLD_TOLERANCE_S = 1.0


class WaitOptions(NamedTuple):
    """How to wait. ``interval`` in seconds overrules the service's hint."""

    timeout: float
    interval: Optional[float]
    long_poll: bool
    raise_on_error: bool
    on_progress: Optional[OnProgress]


class JobWait:
    """One wait for one job."""

    def __init__(self, transport: Transport, address: Address, job_id: str, options: WaitOptions) -> None:
        self._transport = transport
        self._clock = transport.clock
        self._address = address
        self._job_id = job_id
        self._options = options
        self._deadline = self._clock.monotonic() + options.timeout
        self._job: Optional[AnyJob] = None
        self._etag: Optional[str] = None
        self._sleeps = 0
        self._failures = 0
        #: Of the last look, where it failed.
        self._outage: Optional[SuturaError] = None

    def run(self) -> EndedJob:
        """The finished job. When the time is over, the job is looked at once more."""
        while True:
            began = self._clock.monotonic()
            hold = self._hold()
            answer = self._look(hold)
            if answer is None:
                continue
            job = self._take(answer)
            if job is not None and (job.status == "completed" or job.status == "error"):
                return self._finish(job)
            held = self._clock.monotonic() - began
            left = self._left()
            if left <= 0:
                raise self._timed_out()
            # Where the service kept the answer back as asked, the next request may follow at once.
            if hold == 0 or held < max(hold - _HOLD_TOLERANCE_S, hold / 2):
                self._clock.sleep(min(self._pause_after(answer), left))

    def _look(self, hold: int) -> Optional[Answer]:
        """``None`` after the pause that an outage asks for: it does not end the wait, since the job goes on. A refusal does."""
        try:
            answer = self._read(hold)
        except SuturaError as error:
            pause = self._transport.pause_in_outage(error, self._failures)
            if pause is None:
                raise
            if isinstance(error, RateLimitError):
                # The waits that one key has too many of are refused together, and are not to ask together again.
                pause += self._clock.between(0.0, min(_LONGEST_SPREAD_S, _FIRST_SPREAD_S * 2 ** min(self._failures, 10)))
            self._failures += 1
            self._outage = error
            left = self._left()
            if left <= 0:
                raise self._timed_out() from error
            self._clock.sleep(min(pause, left))
            return None
        self._failures = 0
        self._outage = None
        return answer

    def _left(self) -> float:
        return self._deadline - self._clock.monotonic()

    def _hold(self) -> int:
        if not self._options.long_poll:
            return 0
        return min(_LONGEST_HOLD_S, max(0, int(self._left())))

    def _read(self, hold: int) -> Answer:
        headers = [("Accept", "application/json"), ("User-Agent", USER_AGENT)]
        if hold > 0:
            headers.append(("Prefer", f"wait={hold}"))
        if self._etag is not None:
            headers.append(("If-None-Match", self._etag))
        call = Call(
            method="GET",
            address=self._address,
            headers=headers,
            accepted=frozenset((304,)),
            timeout=min(self._transport.timeout + hold, max(0.0, self._left()) + _GRACE_S),
        )
        return self._transport.send_once(call, self._failures)

    def _take(self, answer: Answer) -> Optional[AnyJob]:
        if answer.status != 304:
            self._job = read_json(answer.body, answer.status, answer.request_id, to_job)
            self._etag = answer.headers.get("ETag")
            if self._options.on_progress is not None:
                self._options.on_progress(WaitProgress(job=self._job))
        return self._job

    def _pause_after(self, answer: Answer) -> float:
        if self._options.interval is not None:
            return self._options.interval
        hint = parse_retry_after(answer.headers.get("Retry-After"), self._clock)
        if hint is not None:
            return hint
        longest = min(_LONGEST_INTERVAL_S, _FIRST_INTERVAL_S * _INTERVAL_GROWTH**self._sleeps)
        self._sleeps = min(self._sleeps + 1, 10)
        return self._clock.between(longest * 0.75, longest)

    def _timed_out(self) -> WaitTimeoutError:
        state = "could not be read" if self._job is None else f"is still {self._job.status}"
        met = "" if self._outage is None else f" The last look failed: {self._outage}"
        return WaitTimeoutError(
            f"The job {self._job_id} {state} after {self._options.timeout:g} s. It goes on: wait for it again.{met}", job=self._job
        )

    def _finish(self, job: EndedJob) -> EndedJob:
        if job.status == "completed" or not self._options.raise_on_error:
            return job
        # A service of another release may not say why.
        error: Optional[JobError] = job.error
        code = "unknown" if error is None else error.code
        detail = "No reason was given." if error is None else error.detail
        retryable = error is not None and error.retryable
        raise JobFailedError(f"The job {job.id} ended in error: {code}: {detail}", job=job, code=code, detail=detail, retryable=retryable)
