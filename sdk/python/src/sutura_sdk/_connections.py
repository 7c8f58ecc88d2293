"""Connections, kept open between requests. A connection serves one request at a time, whichever thread made it."""

from __future__ import annotations

import collections
import http.client
import os
import re
import select
import socket
import ssl
import time
from email.message import Message
from typing import Deque, Dict, Optional

from ._addresses import Origin, Route, route_to
from ._faults import unreachable

_MOST_IDLE_PER_ORIGIN = 8
_LONGEST_IDLE_S = 30.0


class Connection:
    """An open connection to an origin, direct or through a proxy."""

    def __init__(self, route: Route, http_connection: http.client.HTTPConnection) -> None:
        self.route = route
        self.http = http_connection
        self.socket: socket.socket = http_connection.sock
        self.idle_until = 0.0

    def limit(self, seconds: float) -> None:
        """No single step on the socket may take longer than this."""
        self.socket.settimeout(seconds)

    def is_fresh(self) -> bool:
        """Whether it may still be used: bytes or an end that nobody asked for mean that the other side is gone."""
        return time.monotonic() < self.idle_until and not _has_input(self.socket)

    def close(self) -> None:
        self.http.close()


class ConnectionPool:
    """Idle connections by origin. Deques and dicts do the locking, so that a fork never inherits a held lock."""

    def __init__(self, ssl_context: Optional[ssl.SSLContext]) -> None:
        self._ssl_context = ssl_context
        self._idle: Dict[Origin, Deque[Connection]] = {}
        self._process_id = os.getpid()

    def take(self, origin: Origin, timeout: float) -> Connection:
        """An idle connection that is still good, else a new one."""
        idle = self._idle_of(origin)
        while True:
            try:
                connection = idle.pop()
            except IndexError:
                return self._connect(origin, timeout)
            if connection.is_fresh():
                connection.limit(timeout)
                return connection
            connection.close()

    def give_back(self, connection: Connection, headers: Message) -> None:
        idle = self._idle_of(connection.route.origin)
        connection.idle_until = time.monotonic() + idle_time_of(headers)
        idle.append(connection)
        while len(idle) > _MOST_IDLE_PER_ORIGIN:
            try:
                idle.popleft().close()
            except IndexError:
                break

    def close(self) -> None:
        for idle in list(self._idle.values()):
            while True:
                try:
                    idle.pop().close()
                except IndexError:
                    break

    def __del__(self) -> None:
        # A client that nobody closed is no reason for a warning.
        self.close()

    def _idle_of(self, origin: Origin) -> Deque[Connection]:
        if self._process_id != os.getpid():
            # After a fork both processes would read from the same socket, and one would get the other's answer.
            # Closing here leaves the parent's connection as it is: nothing is sent.
            self._process_id = os.getpid()
            self.close()
        return self._idle.setdefault(origin, collections.deque())

    def _connect(self, origin: Origin, timeout: float) -> Connection:
        route = route_to(origin)
        try:
            http_connection = self._http_connection(route, timeout)
        except OSError as error:
            # The authorities that this machine trusts could not be read.
            raise unreachable(error, str(route)) from None
        try:
            http_connection.connect()
        except (OSError, http.client.HTTPException) as error:
            http_connection.close()
            raise unreachable(error, str(route)) from None
        return Connection(route, http_connection)

    def _http_connection(self, route: Route, timeout: float) -> http.client.HTTPConnection:
        host, port = route.end
        if route.origin.scheme == "http":
            return http.client.HTTPConnection(host, port, timeout=timeout)
        if self._ssl_context is None:
            self._ssl_context = ssl.create_default_context()
        secured = http.client.HTTPSConnection(host, port, timeout=timeout, context=self._ssl_context)
        if route.proxy is not None:
            headers = {} if route.proxy.authorization is None else {"Proxy-Authorization": route.proxy.authorization}
            secured.set_tunnel(route.origin.host, route.origin.port, headers)
        return secured


def _has_input(sock: socket.socket) -> bool:
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(sock, select.POLLIN)
        return bool(poll.poll(0))
    return bool(select.select([sock], [], [], 0)[0])


def idle_time_of(headers: Message) -> float:
    """Seconds; a little less than the other side announced, so that it does not close just when the next request is on its way."""
    announced = re.search(r"timeout=(\d{1,6})", headers.get("Keep-Alive") or "")
    if announced is None:
        return _LONGEST_IDLE_S
    return min(_LONGEST_IDLE_S, int(announced.group(1)) - 1.0)
