"""Connections of one event loop, kept open between requests. A connection serves one request at a time."""

from __future__ import annotations

import asyncio
import collections
import http.client
import os
import socket
import ssl
from email.message import Message
from typing import Any, Deque, Dict, List, Optional, Tuple

from ._addresses import Origin, Proxy, Route, route_to
from ._channel import Channel, look_around
from ._connections import idle_time_of
from ._faults import unreachable
from ._http_body import take_head

_MOST_IDLE_PER_ORIGIN = 64
_LONGEST_CLOSING_S = 1.0


class AsyncConnection:
    """An open connection to an origin, direct or through a proxy."""

    def __init__(self, route: Route, channel: Channel) -> None:
        self.route = route
        self.channel = channel
        self.idle_until = 0.0

    def is_fresh(self, now: float) -> bool:
        """Whether it may still be used: bytes or an end that nobody asked for mean that the other side is gone."""
        return now < self.idle_until and not self.channel.is_over and not self.channel.unread

    def close(self) -> None:
        self.channel.drop()


class AsyncConnectionPool:
    """Idle connections by origin."""

    def __init__(self, ssl_context: Optional[ssl.SSLContext]) -> None:
        self._ssl_context = ssl_context
        self._idle: Dict[Origin, Deque[AsyncConnection]] = {}
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._is_closed = False
        self._reading: Optional[asyncio.Future[ssl.SSLContext]] = None

    async def take(self, origin: Origin, timeout: float) -> AsyncConnection:
        """An idle connection that is still good, else a new one. ``RuntimeError`` in another event loop than the first."""
        loop = self._this_loop()
        idle = self._idle.get(origin)
        while idle:
            connection = idle.pop()
            try:
                await look_around()
            except BaseException:
                connection.close()
                raise
            if connection.is_fresh(loop.time()):
                return connection
            connection.close()
        return await self._connect(loop, origin, timeout)

    def give_back(self, connection: AsyncConnection, headers: Message) -> None:
        if self._is_closed:
            connection.close()
            return
        connection.idle_until = self._this_loop().time() + idle_time_of(headers)
        idle = self._idle.setdefault(connection.route.origin, collections.deque())
        idle.append(connection)
        while len(idle) > _MOST_IDLE_PER_ORIGIN:
            idle.popleft().close()

    async def close(self) -> None:
        """Ends once the sockets of the idle connections are closed."""
        self._is_closed = True
        idle = [connection for one in self._idle.values() for connection in one]
        if not idle:
            return
        self._this_loop()
        self._idle.clear()
        for connection in idle:
            connection.close()
        await asyncio.wait([connection.channel.gone for connection in idle], timeout=_LONGEST_CLOSING_S)

    def _this_loop(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.get_running_loop()
        if self._loop is None:
            self._loop = loop
        if self._loop is not loop:
            # Its sockets are watched by the first one, which may have ended.
            raise RuntimeError("The client belongs to another event loop. Make one in each, or do all within one asyncio.run.")
        return loop

    async def _connect(self, loop: asyncio.AbstractEventLoop, origin: Origin, timeout: float) -> AsyncConnection:
        route = route_to(origin)
        opening = loop.create_task(self._open(loop, route, timeout))
        connection: Optional[AsyncConnection] = None
        try:
            await asyncio.wait({opening}, timeout=timeout)
            if not opening.done():
                raise socket.timeout("timed out")
            connection = opening.result()
            return connection
        except (OSError, http.client.HTTPException) as error:
            raise unreachable(error, str(route)) from None
        finally:
            if connection is None:
                opening.cancel()
                # It may have been opened in the very moment in which it was no longer wanted.
                opening.add_done_callback(_close_opened)

    async def _open(self, loop: asyncio.AbstractEventLoop, route: Route, timeout: float) -> AsyncConnection:
        secured = route.origin.scheme == "https"
        context = await self._context(loop) if secured else None
        channel = Channel(loop)
        try:
            tls: Dict[str, Any] = {"ssl_handshake_timeout": timeout, "server_hostname": route.origin.host}
            sock = await _connected_socket(loop, *route.end)
            await _adopt(loop, channel, sock, {"ssl": context, **tls} if secured and route.proxy is None else {})
            if context is not None and route.proxy is not None:
                await _open_tunnel(channel, route.origin, route.proxy, loop.time() + timeout)
                transport = await loop.start_tls(channel.transport, channel, context, **tls)
                if transport is None:
                    raise ConnectionResetError("closed")
                channel.use(transport)
        except BaseException:
            channel.drop()
            raise
        return AsyncConnection(route, channel)

    async def _context(self, loop: asyncio.AbstractEventLoop) -> ssl.SSLContext:
        """The caller's, else Python's, which is read once and in a thread: that takes as long as many answers."""
        if self._ssl_context is not None:
            return self._ssl_context
        reading = self._reading
        if reading is None or (reading.done() and (reading.cancelled() or reading.exception() is not None)):
            # Not yet, or in vain: what was in the way may be gone.
            reading = self._reading = loop.run_in_executor(None, ssl.create_default_context)
        context = await asyncio.shield(reading)
        self._ssl_context = context
        return context


async def _connected_socket(loop: asyncio.AbstractEventLoop, host: str, port: int) -> socket.socket:
    """To the first of the addresses of a name that answers; otherwise the error of the last."""
    failure: OSError = OSError("the name has no address")
    for family, kind, protocol, _, address in await _addresses_of(loop, host, port):
        sock = socket.socket(family, kind, protocol)
        try:
            sock.setblocking(False)
            await loop.sock_connect(sock, address)
            return sock
        except OSError as error:
            sock.close()
            # The loop has put the address in the place of the reason.
            failure = error if error.errno is None else OSError(error.errno, os.strerror(error.errno))
        except BaseException:
            sock.close()
            raise
    raise failure


async def _addresses_of(loop: asyncio.AbstractEventLoop, host: str, port: int) -> List[Tuple[Any, ...]]:
    try:
        return list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST))
    except socket.gaierror:
        # Names are looked up in a thread of the loop's pool, since the system has no other way.
        return list(await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM))


async def _adopt(loop: asyncio.AbstractEventLoop, channel: Channel, sock: socket.socket, tls: Dict[str, Any]) -> None:
    try:
        await loop.create_connection(lambda: channel, sock=sock, **tls)
    except BaseException:
        sock.close()
        raise


async def _open_tunnel(channel: Channel, origin: Origin, proxy: Proxy, deadline: float) -> None:
    host = f"[{origin.host}]" if ":" in origin.host else origin.host
    lines = [f"CONNECT {host}:{origin.port} HTTP/1.1", f"Host: {host}:{origin.port}"]
    if proxy.authorization is not None:
        lines.append(f"Proxy-Authorization: {proxy.authorization}")
    channel.transport.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
    while True:
        response = take_head(channel.unread, "CONNECT")
        if response is not None:
            break
        if channel.is_over:
            raise channel.fault
        await channel.changed(deadline)
    if response.status != 200:
        raise OSError(f"the proxy answered {response.status}")
    if channel.unread:
        # It came before TLS began, and would be read as the service's first answer.
        raise OSError("the proxy sent more than its answer")


def _close_opened(opening: "asyncio.Task[AsyncConnection]") -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()
