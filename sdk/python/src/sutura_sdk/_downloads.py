"""A picture or a document to a file: whole under its name, or not there at all. Documents also into memory."""

from __future__ import annotations

import os
import uuid
from typing import Callable, FrozenSet, Optional, Union
from urllib.parse import urljoin

from ._addresses import Address, parse_answered_address
from ._transport import Answer, Call, Transport, USER_AGENT
from ._wire import WireAnswer
from .errors import MalformedResponseError
from .models import Artifact

_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_MOST_REDIRECTS = 5
_ANY_TYPE = "*/*"


def download(transport: Transport, address: Address, path: Union[str, "os.PathLike[str]"], accept: str = _ANY_TYPE) -> Artifact:
    """Follows redirects; to another origin without the key."""
    for _ in range(_MOST_REDIRECTS + 1):
        with _StagedFile(os.fspath(path), transport.timeout) as staged:
            answer = transport.send(_call(address, accept, staged.receive, _REDIRECTS))
            if answer.status not in _REDIRECTS:
                staged.keep()
                return Artifact(path=staged.path, content_type=answer.headers.get("Content-Type"), size_bytes=staged.size_bytes)
        address = _next_address(answer, address)
    raise MalformedResponseError("The file is redirected again and again.", request_id=answer.request_id)


def download_bytes(transport: Transport, address: Address, accept: str) -> bytes:
    """A document in memory. It may take longer than the timeout as long as it makes progress."""
    buffer = _Buffer(transport.timeout)
    transport.send(_call(address, accept, buffer.receive))
    return bytes(buffer.content)


class _Buffer:
    """Takes the bytes of the last attempt."""

    def __init__(self, timeout: float) -> None:
        self.content = bytearray()
        self._timeout = timeout

    def receive(self, answer: WireAnswer) -> None:
        self.content.clear()
        for chunk in answer.chunks():
            self.content += chunk
            answer.extend(self._timeout)


class _StagedFile:
    """A file beside its final place; it takes the name only when all bytes are there."""

    def __init__(self, path: str, timeout: float) -> None:
        self.path = path
        self.size_bytes = 0
        self._timeout = timeout
        self._name: Optional[str] = None

    def receive(self, answer: WireAnswer) -> None:
        """Takes the bytes of one attempt; what an attempt before it left is gone."""
        self._remove()
        self.size_bytes = 0
        name = os.path.join(os.path.dirname(self.path), f".{uuid.uuid4().hex}.part")
        with open(name, "xb") as file:
            self._name = name
            for chunk in answer.chunks():
                file.write(chunk)
                self.size_bytes += len(chunk)
                answer.extend(self._timeout)

    def keep(self) -> None:
        if self._name is None:
            raise MalformedResponseError("The service answered without a file.")
        os.replace(self._name, self.path)
        self._name = None

    def _remove(self) -> None:
        if self._name is not None:
            os.unlink(self._name)
            self._name = None

    def __enter__(self) -> "_StagedFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._remove()


def _call(
    address: Address, accept: str, receive: Callable[[WireAnswer], None], accepted: FrozenSet[int] = frozenset()
) -> Call:
    def checked(answer: WireAnswer) -> None:
        _check_type(answer, accept)
        receive(answer)

    return Call(
        method="GET",
        address=address,
        headers=[("Accept", accept), ("User-Agent", USER_AGENT)],
        accepted=accepted,
        receive=checked,
    )


def _check_type(answer: WireAnswer, accept: str) -> None:
    """A proxy's page under a report's name would be filed as the report."""
    if accept in (_ANY_TYPE, answer.headers.get_content_type()):
        return
    raise MalformedResponseError(
        f"The answer with status {answer.status} is not {accept}. Check that base_url is the address of the service.",
        status=answer.status,
        request_id=answer.headers.get("X-Request-Id"),
    )


def _next_address(answer: Answer, address: Address) -> Address:
    location = answer.headers.get("Location")
    if location is None:
        raise MalformedResponseError("The file is redirected to nowhere.", status=answer.status, request_id=answer.request_id)
    return parse_answered_address(urljoin(f"{address.origin}{address.target}", location), "Location")
