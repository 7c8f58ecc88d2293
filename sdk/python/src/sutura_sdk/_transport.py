"""A call to the service: attempts, pauses, the key, log lines, refusals as errors."""

from __future__ import annotations

import platform
import ssl
from dataclasses import dataclass
from email.message import Message
from typing import Any, Callable, FrozenSet, Optional, Protocol, Union

from ._addresses import Address
from ._clock import Clock
from ._photo import Photo
from ._problems import to_error
from ._retries import RetryPolicy, is_lost, parse_retry_after
from ._version import VERSION
from ._wire import Headers, Wire, WireAnswer, WireRequest
from .errors import MalformedResponseError, SuturaError

USER_AGENT = f"sutura-sdk-python/{VERSION} (Python {platform.python_version()})"
_LARGEST_ANSWER_BYTES = 64 * 1024 * 1024
_LARGEST_REFUSAL_BYTES = 64 * 1024


class SupportsDebug(Protocol):
    """What a logger needs to have; one of the standard library's does."""

    def debug(self, msg: str, *args: Any) -> Any:
        """Takes one line, with the values for its placeholders."""


class Credential:
    """The API key. Nothing but the header that carries it can be got out of it by its text."""

    __slots__ = ("_key",)

    def __init__(self, key: str) -> None:
        self._key = key

    def header(self) -> str:
        return f"Bearer {self._key}"

    def __repr__(self) -> str:
        return "Credential(hidden)"

    def __reduce__(self) -> Any:
        raise TypeError("A client holds an API key and cannot be copied or pickled. Make one where it is needed.")


@dataclass(frozen=True)
class Call:
    """One request, and what is special about it."""

    method: str
    address: Address
    headers: Headers
    body: Union[bytes, Photo, None] = None
    #: Whether the key goes along; it never goes to another origin than the service's own.
    authorized: bool = True
    #: Statuses over 299 that are answers and no errors here.
    accepted: FrozenSet[int] = frozenset()
    #: Likewise, after an attempt whose answer was lost and which may have done the work.
    accepted_after_loss: FrozenSet[int] = frozenset()
    #: Likewise, after any attempt before it.
    accepted_on_repeat: FrozenSet[int] = frozenset()
    #: Whether the request carries an Idempotency-Key, so that a repeat may find the first one still running.
    keyed: bool = False
    #: Seconds; the client's own where ``None``.
    timeout: Optional[float] = None
    on_sent: Optional[Callable[[int], None]] = None
    #: Takes the body of a success while it arrives.
    receive: Optional[Callable[[WireAnswer], None]] = None


@dataclass(frozen=True)
class Answer:
    """A success, or a status that the call accepted."""

    status: int
    headers: Message
    body: bytes
    request_id: Optional[str]


class Transport:
    """Sends calls; any number of threads may do so at once."""

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
                if pause is None:
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
        try:
            with self._wire.open(self._to_wire(call)) as answer:
                outcome, request_id = answer.status, answer.headers.get("X-Request-Id")
                succeeded = 200 <= answer.status < 300
                if succeeded and call.receive is not None:
                    call.receive(answer)
                    return Answer(answer.status, answer.headers, b"", request_id)
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
        if succeeded or answer.status in _accepted(call, attempt, lost_one):
            return Answer(answer.status, answer.headers, body, request_id)
        raise to_error(answer.status, body, request_id, parse_retry_after(answer.headers.get("Retry-After"), self.clock))

    def _to_wire(self, call: Call) -> WireRequest:
        headers = list(call.headers)
        if call.authorized and call.address.origin == self.base.origin:
            headers.append(("Authorization", self._credential.header()))
        timeout = self.timeout if call.timeout is None else call.timeout
        return WireRequest(call.method, call.address, headers, call.body, timeout, call.on_sent)


def _accepted(call: Call, attempt: int, lost_one: bool) -> FrozenSet[int]:
    accepted = call.accepted | call.accepted_after_loss if lost_one else call.accepted
    return accepted | call.accepted_on_repeat if attempt > 0 else accepted


def _read(answer: WireAnswer, succeeded: bool) -> bytes:
    limit = _LARGEST_ANSWER_BYTES if succeeded else _LARGEST_REFUSAL_BYTES
    body = bytearray()
    for chunk in answer.chunks():
        body += chunk
        if len(body) > limit:
            answer.discard_connection()
            if not succeeded:
                break
            raise MalformedResponseError("The answer is larger than any of the service. Check base_url.", status=answer.status)
    return bytes(body)
