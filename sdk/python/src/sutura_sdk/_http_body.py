"""The head and the body of an HTTP/1.1 answer out of the bytes that came; knows no socket (RFC 9112)."""

from __future__ import annotations

import http.client
import io
import re
import socket
from typing import Optional, cast

from ._calls import READ_BYTES

_LONGEST_HEAD_BYTES = 64 * 1024
_LONGEST_LINE_BYTES = 4 * 1024
_MOST_TRAILERS = 100
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_CHUNK_SIZE = re.compile(rb"[0-9A-Fa-f]{1,15}[ \t]*(?:;|$)")


def take_head(unread: bytearray, method: str) -> Optional[http.client.HTTPResponse]:
    """The head at the beginning of these bytes, which it is taken from; ``None`` where it is not whole yet.

    ``http.client.HTTPException`` for what is no HTTP. Interim answers (1xx) are passed over.
    """
    while True:
        end = _HEAD_END.search(unread)
        if end is None:
            if len(unread) > _LONGEST_HEAD_BYTES:
                raise http.client.LineTooLong("head")
            return None
        head = bytes(unread[: end.end()])
        del unread[: end.end()]
        if not re.match(rb"HTTP/1\.[01] 1\d\d(?:\s|$)", head):
            break
    # http.client reads a head from what a socket would give it as a file, and decides how long the body is.
    response = http.client.HTTPResponse(cast(socket.socket, _Head(head)), method=method)
    response.begin()
    return response


class _Head:
    def __init__(self, content: bytes) -> None:
        self._content = content

    def makefile(self, mode: str) -> io.BytesIO:
        return io.BytesIO(self._content)


class Body:
    """The body of one answer: of a length, in chunks, or up to the end of the connection."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        #: Of HEAD, 204 and 304 it is 0, whatever the headers say.
        self._left: Optional[int] = response.length
        self._chunks = _Chunks() if response.chunked and self._left is None else None
        self.is_whole = self._left == 0

    def take(self, unread: bytearray, is_over: bool) -> bytes:
        """What is there of it, at most ``READ_BYTES`` where it has a length. ``is_over``: nothing more will come.

        ``http.client.IncompleteRead`` where it then lacks something.
        """
        if self._chunks is not None:
            taken = self._chunks.take(unread)
            self.is_whole = self._chunks.is_over
        else:
            most = READ_BYTES if self._left is None else min(self._left, READ_BYTES)
            taken = bytes(unread[:most])
            del unread[:most]
            if self._left is None:
                self.is_whole = is_over and not unread
            else:
                self._left -= len(taken)
                self.is_whole = self._left == 0
        if is_over and not taken and not self.is_whole:
            raise http.client.IncompleteRead(b"")
        return taken


class _Chunks:
    """Transfer-Encoding: chunked."""

    def __init__(self) -> None:
        self.is_over = False
        self._left = 0
        self._ends_chunk = False
        self._trailers: Optional[int] = None

    def take(self, unread: bytearray) -> bytes:
        taken = bytearray()
        while not self.is_over and len(taken) < READ_BYTES:
            if self._left > 0:
                piece = unread[: self._left]
                if not piece:
                    break
                del unread[: len(piece)]
                taken += piece
                self._left -= len(piece)
                self._ends_chunk = self._left == 0
            else:
                line = _take_line(unread)
                if line is None:
                    break
                self._read_line(line)
        return bytes(taken)

    def _read_line(self, line: bytes) -> None:
        if self._trailers is not None:
            self._trailers += 1
            self.is_over = line == b""
            if self._trailers > _MOST_TRAILERS:
                raise http.client.HTTPException("too many trailers")
        elif self._ends_chunk:
            if line:
                raise http.client.HTTPException("a chunk is longer than it says")
            self._ends_chunk = False
        else:
            if not _CHUNK_SIZE.match(line):
                raise http.client.HTTPException("a chunk has no size")
            self._left = int(line.partition(b";")[0], 16)
            if self._left == 0:
                self._trailers = 0


def _take_line(unread: bytearray) -> Optional[bytes]:
    """Without its end; ``None`` where the end has not come."""
    at = unread.find(b"\n")
    if at < 0:
        if len(unread) > _LONGEST_LINE_BYTES:
            raise http.client.LineTooLong("chunk")
        return None
    line = bytes(unread[:at]).rstrip(b"\r")
    del unread[: at + 1]
    return line
