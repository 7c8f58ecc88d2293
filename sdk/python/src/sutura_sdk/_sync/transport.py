# Made of _async/transport.py by generate_sync.py: change that one.
"""A call to the service: attempts, pauses, the key, log lines, refusals as errors."""

from __future__ import annotations

import ssl
from typing import Optional

from .._addresses import Address
from .._clock import Clock
from .._wire import Wire, WireAnswer
from .._calls import Answer, Call, Credential, Receiver, SupportsDebug, WireRequest
from .._problems import to_error
from .._retries import RetryPolicy, is_lost, may_be_done, parse_retry_after
from ..errors import MalformedResponseError, SuturaError

_LARGEST_ANSWER_BYTES = 64 * 1024 * 1024
_LARGEST_REFUSAL_BYTES = 64 * 1024


class Transport:
    """Sends calls; any number at once."""

    def __init__(
        self,
        *,
        base: Address,
        credential: Credential,
        timeout: float,
        policy: RetryPolicy,
        logger: SupportsDebug,
        ssl_context: Optional[ssl.SSLContext],
    ) -> None:
        self.base = base
        self.timeout = timeout
        self.clock = Clock()
        self._credential = credential
        self._policy = policy
        self._logger = logger
        self._wire = Wire(ssl_context)
        self._is_closed = False

    def send(self, call: Call) -> Answer:
        """The answer of the last attempt; otherwise its error."""
        attempt = 0
        lost_one = False
        while True:
            try:
                return self._attempt(call, attempt, lost_one)
            except SuturaError as error:
                lost_one = lost_one or is_lost(error)
                pause = self._policy.pause_before_repeat(error, attempt, call.keyed, self.clock)
                if pause is None or (not call.repeatable and may_be_done(error)):
                    raise
            self.clock.sleep(pause)
            attempt += 1

    def send_once(self, call: Call, failures: int) -> Answer:
        """The answer of one attempt, of which so many failed before; otherwise its error."""
        return self._attempt(call, failures, lost_one=False)

    def pause_in_outage(self, error: SuturaError, failures: int) -> Optional[float]:
        """Seconds until the next ``send_once`` may succeed; ``None`` for a refusal."""
        return self._policy.pause_in_outage(error, failures, self.clock)

    def close(self) -> None:
        """For good: what is sent afterwards is a mistake of the program."""
        self._is_closed = True
        self._wire.close()

    def _attempt(self, call: Call, attempt: int, lost_one: bool) -> Answer:
        if self._is_closed:
            raise RuntimeError("The client is closed. Make a new one, or close it later.")
        started = self.clock.monotonic()
        outcome: object = "failed"
        request_id: Optional[str] = None
        body = b""
        try:
            with self._wire.open(self._to_wire(call)) as answer:
                outcome, request_id = answer.status, answer.headers.get("X-Request-Id")
                succeeded = 200 <= answer.status < 300
                if succeeded and call.receiver is not None:
                    self._hand_on(answer, call.receiver)
                else:
                    body = _read(answer, succeeded)
        except SuturaError as error:
            outcome = f"{outcome} {type(error).__name__}"
            raise
        finally:
            took_ms = round((self.clock.monotonic() - started) * 1000)
            self._logger.debug(
                "%s %s -> %s, attempt %d, %d ms, request %s",
                call.method, call.address.path, outcome, attempt + 1, took_ms, request_id or "-",
            )  # fmt: skip
        if succeeded or call.accepts(answer.status, attempt, lost_one):
            return Answer(answer.status, answer.headers, body, request_id)
        raise to_error(answer.status, body, request_id, parse_retry_after(answer.headers.get("Retry-After"), self.clock))

    def _hand_on(self, answer: WireAnswer, receiver: Receiver) -> None:
        """It may take longer than the timeout as long as it makes progress."""
        receiver.begin(answer)
        while True:
            chunk = answer.read_some()
            if not chunk:
                break
            receiver.take(chunk)
            answer.extend(self.timeout)
        receiver.end()

    def _to_wire(self, call: Call) -> WireRequest:
        headers = list(call.headers)
        if call.authorized and call.address.origin == self.base.origin:
            headers.append(("Authorization", self._credential.header()))
        timeout = self.timeout if call.timeout is None else call.timeout
        return WireRequest(call.method, call.address, headers, call.body, timeout, call.on_sent)


def _read(answer: WireAnswer, succeeded: bool) -> bytes:
    limit = _LARGEST_ANSWER_BYTES if succeeded else _LARGEST_REFUSAL_BYTES
    body = bytearray()
    while True:
        chunk = answer.read_some()
        if not chunk:
            break
        body += chunk
        if len(body) > limit:
            answer.discard_connection()
            if not succeeded:
                break
            raise MalformedResponseError("The answer is larger than any of the service. Check base_url.", status=answer.status)
    return bytes(body)
