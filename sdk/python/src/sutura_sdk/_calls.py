"""What is sent and what is answered, in the words of both transports; nothing here reads or writes a socket."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from email.message import Message
from typing import Any, Callable, FrozenSet, List, NamedTuple, Optional, Protocol, Tuple, Union

from ._addresses import Address
from ._photo import Photo
from ._version import VERSION

USER_AGENT = f"sutura-sdk-python/{VERSION} (Python {platform.python_version()})"
READ_BYTES = 64 * 1024
#: How long an answer may take that came while a photo was still on its way.
EARLY_ANSWER_PATIENCE_S = 5.0

Headers = List[Tuple[str, str]]


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


class WireRequest(NamedTuple):
    """What goes out. ``timeout`` is for the whole exchange, but with a photo for each step that makes no progress."""

    method: str
    address: Address
    headers: Headers
    body: Union[bytes, Photo, None]
    timeout: float
    on_sent: Optional[Callable[[int], None]] = None


class AnswerHead(Protocol):
    """Status and headers, before the body has come."""

    @property
    def status(self) -> int:
        """The HTTP status."""

    @property
    def headers(self) -> Message:
        """Names in any case."""


class Receiver(Protocol):
    """Takes the body of a success while it arrives, of each attempt anew."""

    def begin(self, answer: AnswerHead) -> None:
        """A body begins; what an attempt before it left is nothing any more."""

    def take(self, chunk: bytes) -> None:
        """The next bytes of it."""

    def end(self) -> None:
        """It was whole."""


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
    #: Whether a second one does no harm where the first may have been carried out.
    repeatable: bool = True
    #: Seconds; the client's own where ``None``.
    timeout: Optional[float] = None
    on_sent: Optional[Callable[[int], None]] = None
    receiver: Optional[Receiver] = None

    def accepts(self, status: int, attempt: int, lost_one: bool) -> bool:
        """Whether a status over 299 is an answer to attempt ``attempt``. ``lost_one``: the answer of one before it was lost."""
        return (
            status in self.accepted
            or (lost_one and status in self.accepted_after_loss)
            or (attempt > 0 and status in self.accepted_on_repeat)
        )


@dataclass(frozen=True)
class Answer:
    """A success, or a status that the call accepted."""

    status: int
    headers: Message
    body: bytes
    request_id: Optional[str]
