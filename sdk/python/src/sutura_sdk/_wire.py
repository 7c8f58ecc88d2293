"""One HTTP/1.1 exchange at a time over http.client: kept connections, one deadline per answer, uploads that stream.

Raises ``NetworkError`` and ``RequestTimeoutError`` only (and what a caller's file or callback raises). It knows neither
retries nor meanings.
"""

from __future__ import annotations

import http.client
import ssl
import time
from types import TracebackType
from typing import Optional, Type

from ._calls import EARLY_ANSWER_PATIENCE_S, READ_BYTES, WireRequest
from ._connections import Connection, ConnectionPool
from ._faults import broken
from ._photo import Photo
from ._sending import send_photo
from .errors import NetworkError, RequestTimeoutError, SuturaError


class WireAnswer:
    """The head of an answer, and its body while it is read. Leave it as a context manager."""

    def __init__(self, connection: Connection, response: http.client.HTTPResponse, deadline: float, pool: ConnectionPool) -> None:
        self.status = response.status
        self.headers = response.headers
        self._connection = connection
        self._response = response
        self._deadline = deadline
        self._pool = pool
        self._reusable = True

    def read_some(self) -> bytes:
        """The next bytes of the body, none at its end; ``NetworkError`` where it ends before its announced length."""
        if self._response.isclosed():
            return b""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise RequestTimeoutError("The answer did not arrive in time. Try again, or raise timeout.")
        self._connection.limit(left)
        try:
            chunk = self._response.read1(READ_BYTES)
        except (OSError, http.client.HTTPException) as error:
            raise broken(error, "in the middle of the answer") from None
        if not chunk:
            if self._response.length:
                raise NetworkError("The connection broke in the middle of the answer.")
            # With read1, http.client does not always see for itself that nothing more can come.
            self._response.close()
        return chunk

    def extend(self, timeout: float) -> None:
        """Gives the rest of the answer so much time from now on."""
        self._deadline = time.monotonic() + timeout

    def discard_connection(self) -> None:
        self._reusable = False

    def __enter__(self) -> WireAnswer:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        whole = self._response.isclosed() and not self._response.will_close
        if error is None and whole and self._reusable:
            self._pool.give_back(self._connection, self._response.headers)
        else:
            self._response.close()
            self._connection.close()


class Wire:
    """Sends requests; any number of threads may do so at once."""

    def __init__(self, ssl_context: Optional[ssl.SSLContext]) -> None:
        self._pool = ConnectionPool(ssl_context)

    def open(self, request: WireRequest) -> WireAnswer:
        """Sends the request and reads the head of its answer."""
        deadline = time.monotonic() + request.timeout
        connection = self._pool.take(request.address.origin, request.timeout)
        try:
            return self._exchange(connection, request, deadline)
        except BaseException:
            connection.close()
            raise

    def close(self) -> None:
        self._pool.close()

    def _exchange(self, connection: Connection, request: WireRequest, deadline: float) -> WireAnswer:
        _send_head(connection, request)
        early: Optional[SuturaError] = None
        was_sent = True
        if isinstance(request.body, Photo):
            was_sent, early = send_photo(connection, request.body, request.timeout, request.on_sent)
            deadline = time.monotonic() + (request.timeout if was_sent else min(EARLY_ANSWER_PATIENCE_S, request.timeout))
        connection.limit(max(deadline - time.monotonic(), 0.001))
        try:
            response = connection.http.getresponse()
        except (OSError, http.client.HTTPException) as error:
            raise early or broken(error, "before the answer") from None
        answer = WireAnswer(connection, response, deadline, self._pool)
        if not was_sent:
            answer.discard_connection()
        return answer


def _send_head(connection: Connection, request: WireRequest) -> None:
    http_connection = connection.http
    route = connection.route
    body = request.body if isinstance(request.body, bytes) else None
    try:
        http_connection.putrequest(request.method, route.target_of(request.address), skip_accept_encoding=True)
        for name, value in route.headers + request.headers:
            http_connection.putheader(name, value)
        if body is not None:
            http_connection.putheader("Content-Length", str(len(body)))
        http_connection.endheaders(body)
    except (OSError, http.client.HTTPException) as error:
        raise broken(error, "while the request was sent") from None
