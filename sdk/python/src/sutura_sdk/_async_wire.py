"""One HTTP/1.1 exchange at a time over an event loop: kept connections, one deadline per answer, uploads that stream.

Raises what ``_wire`` raises, and leaves no socket behind a task that was cancelled.
"""

from __future__ import annotations

import asyncio
import http.client
import re
import ssl
from types import TracebackType
from typing import Optional, Tuple, Type

from ._async_connections import AsyncConnection, AsyncConnectionPool
from ._calls import EARLY_ANSWER_PATIENCE_S, WireRequest
from ._channel import Channel, look_around
from ._faults import broken
from ._http_body import Body, take_head
from ._photo import Photo
from .errors import RequestTimeoutError, SuturaError

_LINE_BREAK = re.compile(r"[\r\n\0]")


class AsyncWireAnswer:
    """The head of an answer, and its body while it is read. Leave it as an asynchronous context manager."""

    def __init__(
        self, connection: AsyncConnection, response: http.client.HTTPResponse, deadline: float, pool: AsyncConnectionPool
    ) -> None:
        self.status = response.status
        self.headers = response.headers
        self._loop = asyncio.get_running_loop()
        self._connection = connection
        self._body = Body(response)
        self._deadline = deadline
        self._pool = pool
        self._reusable = not response.will_close

    async def read_some(self) -> bytes:
        """The next bytes of the body, none at its end; ``NetworkError`` where it ends before its announced length."""
        channel = self._connection.channel
        try:
            while not self._body.is_whole:
                if self._deadline <= self._loop.time():
                    raise RequestTimeoutError("The answer did not arrive in time. Try again, or raise timeout.")
                chunk = self._body.take(channel.unread, channel.is_over and not channel.broke)
                channel.go_on_reading()
                if chunk:
                    return chunk
                if channel.broke:
                    raise channel.fault
                if not self._body.is_whole:
                    await channel.changed(self._deadline)
        except (OSError, http.client.HTTPException) as error:
            raise broken(error, "in the middle of the answer") from None
        return b""

    def extend(self, timeout: float) -> None:
        """Gives the rest of the answer so much time from now on."""
        self._deadline = self._loop.time() + timeout

    def discard_connection(self) -> None:
        self._reusable = False

    async def __aenter__(self) -> AsyncWireAnswer:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if error is None and self._body.is_whole and self._reusable:
            self._pool.give_back(self._connection, self.headers)
        else:
            self._connection.close()


class AsyncWire:
    """Sends requests; any number of tasks may do so at once."""

    def __init__(self, ssl_context: Optional[ssl.SSLContext]) -> None:
        self._pool = AsyncConnectionPool(ssl_context)

    async def open(self, request: WireRequest) -> AsyncWireAnswer:
        """Sends the request and reads the head of its answer."""
        deadline = asyncio.get_running_loop().time() + request.timeout
        connection = await self._pool.take(request.address.origin, request.timeout)
        try:
            return await self._exchange(connection, request, deadline)
        except BaseException:
            connection.close()
            raise

    async def close(self) -> None:
        await self._pool.close()

    async def _exchange(self, connection: AsyncConnection, request: WireRequest, deadline: float) -> AsyncWireAnswer:
        channel = connection.channel
        channel.transport.write(_head_of(connection, request))
        early: Optional[SuturaError] = None
        was_sent = True
        if isinstance(request.body, Photo):
            was_sent, early = await _send_photo(channel, request.body, request)
            now = asyncio.get_running_loop().time()
            deadline = now + (request.timeout if was_sent else min(EARLY_ANSWER_PATIENCE_S, request.timeout))
        try:
            response = await _read_head(channel, request.method, deadline)
        except (OSError, http.client.HTTPException) as error:
            raise early or broken(error, "before the answer") from None
        answer = AsyncWireAnswer(connection, response, deadline, self._pool)
        if not was_sent:
            answer.discard_connection()
        return answer


def _head_of(connection: AsyncConnection, request: WireRequest) -> bytes:
    """The head, with a body that is in memory. ``ValueError`` for what would split the request in two."""
    route = connection.route
    headers = [("Host", route.origin.netloc), *route.headers, *request.headers]
    body = request.body if isinstance(request.body, bytes) else b""
    if isinstance(request.body, bytes):
        headers.append(("Content-Length", str(len(body))))
    lines = [f"{request.method} {route.target_of(request.address)} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
    if any(_LINE_BREAK.search(line) for line in lines):
        raise ValueError("A header or the address has characters that cannot be sent.")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


async def _read_head(channel: Channel, method: str, deadline: float) -> http.client.HTTPResponse:
    while True:
        response = take_head(channel.unread, method)
        if response is not None:
            return response
        if channel.is_over:
            raise channel.fault
        await channel.changed(deadline)


async def _send_photo(channel: Channel, photo: Photo, request: WireRequest) -> Tuple[bool, Optional[SuturaError]]:
    """Whether all was sent; and if not, how the connection broke, or ``None`` where an answer waits already.

    A service that refuses a photo answers before it has read it and then closes: the answer must be read, not the reset.
    """
    sent = 0
    for chunk in photo.chunks():
        await look_around()
        if channel.unread:
            return False, None
        if channel.is_over:
            return False, broken(channel.fault, "while the photo was sent")
        channel.transport.write(chunk)
        try:
            await channel.until_written(request.timeout)
        except OSError as error:
            raise broken(error, "while the photo was sent") from None
        sent += len(chunk)
        if request.on_sent is not None:
            request.on_sent(sent)
    return True, None
