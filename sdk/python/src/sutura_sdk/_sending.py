"""The bytes of a photo onto a socket, with an eye on an answer that comes before the end."""

from __future__ import annotations

import selectors
import socket
import ssl
from typing import Callable, Optional, Tuple

from ._connections import Connection
from ._faults import broken
from ._photo import Photo
from .errors import SuturaError


def send_photo(
    connection: Connection, photo: Photo, timeout: float, on_sent: Optional[Callable[[int], None]]
) -> Tuple[bool, Optional[SuturaError]]:
    """Whether all was sent; and if not, how the connection broke, or ``None`` where an answer waits already.

    A service that refuses a photo answers before it has read it and then closes: the answer must be read, not the reset.
    """
    sent = 0
    connection.limit(timeout)
    for chunk in photo.chunks():
        try:
            if not _send(connection.socket, chunk, timeout):
                return False, None
        except OSError as error:
            fault = broken(error, "while the photo was sent")
            if isinstance(error, socket.timeout):
                raise fault from None
            return False, fault
        sent += len(chunk)
        if on_sent is not None:
            on_sent(sent)
    return True, None


def _send(target: socket.socket, chunk: memoryview, timeout: float) -> bool:
    if isinstance(target, ssl.SSLSocket):
        # Under TLS a readable socket says nothing: it may be a session ticket.
        target.sendall(chunk)
        return True
    with selectors.DefaultSelector() as selector:
        selector.register(target, selectors.EVENT_READ | selectors.EVENT_WRITE)
        while len(chunk) > 0:
            ready = selector.select(timeout)
            if not ready:
                raise socket.timeout()
            if ready[0][1] & selectors.EVENT_READ:
                return False
            chunk = chunk[target.send(chunk) :]
    return True
