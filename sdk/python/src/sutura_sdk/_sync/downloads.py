# Made of _async/downloads.py by generate_sync.py: change that one.
"""A picture or a document to a file, or into memory."""

from __future__ import annotations

import os
from typing import FrozenSet, Union
from urllib.parse import urljoin

from .._addresses import Address, parse_answered_address
from .._calls import Answer, Call, Receiver, USER_AGENT
from .._receivers import ANY_TYPE, Buffer, StagedFile
from ..errors import MalformedResponseError
from ..models import Artifact
from .transport import Transport

_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_MOST_REDIRECTS = 5


def download(
    transport: Transport, address: Address, path: Union[str, "os.PathLike[str]"], accept: str = ANY_TYPE
) -> Artifact:
    """Follows redirects; to another origin without the key."""
    for _ in range(_MOST_REDIRECTS + 1):
        with StagedFile(os.fspath(path), accept) as staged:
            answer = transport.send(_call(address, accept, staged, _REDIRECTS))
            if answer.status not in _REDIRECTS:
                staged.keep()
                return Artifact(path=staged.path, content_type=answer.headers.get("Content-Type"), size_bytes=staged.size_bytes)
        address = _next_address(answer, address)
    raise MalformedResponseError("The file is redirected again and again.", request_id=answer.request_id)


def download_bytes(transport: Transport, address: Address, accept: str) -> bytes:
    """A document in memory."""
    buffer = Buffer(accept)
    transport.send(_call(address, accept, buffer))
    return bytes(buffer.content)


def _call(address: Address, accept: str, receiver: Receiver, accepted: FrozenSet[int] = frozenset()) -> Call:
    return Call("GET", address, [("Accept", accept), ("User-Agent", USER_AGENT)], accepted=accepted, receiver=receiver)


def _next_address(answer: Answer, address: Address) -> Address:
    location = answer.headers.get("Location")
    if location is None:
        raise MalformedResponseError("The file is redirected to nowhere.", status=answer.status, request_id=answer.request_id)
    return parse_answered_address(urljoin(f"{address.origin}{address.target}", location), "Location")
