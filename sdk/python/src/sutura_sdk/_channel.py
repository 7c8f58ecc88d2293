"""A connection as the event loop tells of it: the bytes that came, and whether more may be written."""

from __future__ import annotations

import asyncio
import http.client
import socket
from typing import Optional, cast

_MOST_UNREAD_BYTES = 256 * 1024
#: How often an upload is looked at for progress, in parts of its timeout.
_LOOKS = 4


class Channel(asyncio.Protocol):
    """One socket of one event loop, read by one task at a time. A wait on it makes neither thread nor task."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        #: What came and was not taken yet.
        self.unread = bytearray()
        #: Nothing more will come.
        self.is_over = False
        #: Done once the socket is closed.
        self.gone: asyncio.Future[None] = loop.create_future()
        self._loop = loop
        self._transport: Optional[asyncio.Transport] = None
        self._fault: Optional[BaseException] = None
        self._may_write = True
        self._reads = True
        self._waiter: Optional[asyncio.Future[None]] = None

    @property
    def transport(self) -> asyncio.Transport:
        assert self._transport is not None, "the loop has not connected it"
        return self._transport

    def use(self, transport: asyncio.Transport) -> None:
        """From now on this transport is what it reads and writes: of the connection, or of TLS over it."""
        self._transport = transport
        # A write is over when the system has taken it: else progress would be told of what still lies here.
        transport.set_write_buffer_limits(high=1, low=0)

    @property
    def fault(self) -> BaseException:
        """Why nothing more will come."""
        return self._fault or http.client.RemoteDisconnected("closed")

    @property
    def broke(self) -> bool:
        """Whether the end was not one that the other side made in order."""
        return self._fault is not None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.use(cast(asyncio.Transport, transport))

    def data_received(self, data: bytes) -> None:
        self.unread += data
        if len(self.unread) > _MOST_UNREAD_BYTES and self._reads:
            self._reads = False
            self.transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        self.is_over = True
        self._wake()

    def connection_lost(self, exc: Optional[Exception]) -> None:
        self.is_over = True
        self._fault = exc
        if not self.gone.done():
            self.gone.set_result(None)
        self._wake()

    def pause_writing(self) -> None:
        self._may_write = False

    def resume_writing(self) -> None:
        self._may_write = True
        self._wake()

    async def changed(self, deadline: float) -> None:
        """Until something came, went or may be written; ``socket.timeout`` when the loop's clock says ``deadline``."""
        waiter = self._loop.create_future()
        timer = self._loop.call_at(deadline, _time_out, waiter)
        self._waiter = waiter
        try:
            await waiter
        finally:
            timer.cancel()
            self._waiter = None

    async def until_written(self, timeout: float) -> None:
        """Until what was written is with the system, an answer begins or the connection ends.

        ``socket.timeout`` where nothing of it went away for so many seconds.
        """
        left = self.transport.get_write_buffer_size()
        progressed = self._loop.time()
        while not (self._may_write or self.unread or self.is_over):
            try:
                await self.changed(self._loop.time() + timeout / _LOOKS)
            except socket.timeout:
                now_left = self.transport.get_write_buffer_size()
                if now_left < left:
                    left, progressed = now_left, self._loop.time()
                elif self._loop.time() - progressed >= timeout:
                    raise

    def take(self, most: int) -> bytes:
        """At most so many of the bytes that came."""
        taken = bytes(self.unread[:most])
        del self.unread[:most]
        self.go_on_reading()
        return taken

    def go_on_reading(self) -> None:
        """Where reading was paused because too much lay unread, and no longer does."""
        if not self._reads and len(self.unread) <= _MOST_UNREAD_BYTES and not self.is_over:
            self._reads = True
            self.transport.resume_reading()

    def drop(self) -> None:
        """Closes the socket at once, whatever is under way."""
        # A transport that the loop closed by itself once all was written, as after an end of the other side, cannot be aborted any more (CPython).
        if self._transport is not None and not self.gone.done():
            self._transport.abort()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


async def look_around() -> None:
    """Two turns of the loop: the first one finds out what has come or ended, the second one takes it."""
    await asyncio.sleep(0)
    await asyncio.sleep(0)


def _time_out(waiter: "asyncio.Future[None]") -> None:
    if not waiter.done():
        waiter.set_exception(socket.timeout("timed out"))
