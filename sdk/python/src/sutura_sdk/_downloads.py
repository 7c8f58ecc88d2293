"""A picture to a file: whole under its name, or not there at all."""

from __future__ import annotations

import os
import uuid
from typing import Optional, Union
from urllib.parse import urljoin

from ._addresses import Address, parse_answered_address
from ._transport import Answer, Call, Transport, USER_AGENT
from ._wire import WireAnswer
from .errors import MalformedResponseError
from .models import Artifact

_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_MOST_REDIRECTS = 5


def download(transport: Transport, address: Address, path: Union[str, "os.PathLike[str]"]) -> Artifact:
    """Follows redirects; to another origin without the key."""
    for _ in range(_MOST_REDIRECTS + 1):
        with _StagedFile(os.fspath(path), transport.timeout) as staged:
            answer = transport.send(_call(address, staged))
            if answer.status not in _REDIRECTS:
                staged.keep()
                return Artifact(path=staged.path, content_type=answer.headers.get("Content-Type"), size_bytes=staged.size_bytes)
        address = _next_address(answer, address)
    raise MalformedResponseError("The picture is redirected again and again.", request_id=answer.request_id)


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
            raise MalformedResponseError("The service answered without a picture.")
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


def _call(address: Address, staged: _StagedFile) -> Call:
    return Call(
        method="GET",
        address=address,
        headers=[("Accept", "*/*"), ("User-Agent", USER_AGENT)],
        accepted=_REDIRECTS,
        receive=staged.receive,
    )


def _next_address(answer: Answer, address: Address) -> Address:
    location = answer.headers.get("Location")
    if location is None:
        raise MalformedResponseError("The picture is redirected to nowhere.", status=answer.status, request_id=answer.request_id)
    return parse_answered_address(urljoin(f"{address.origin}{address.target}", location), "Location")
