"""A service in the loop of the test that holds every look at a job back until it is told to answer."""

from __future__ import annotations

import asyncio
import json
from typing import List, Set

_USAGE = b'{"limit":25,"used":1,"remaining":24,"resetsAt":"2026-01-06T00:00:00.000Z"}'


class WaitingService:
    """``async with WaitingService() as service``; it counts who waits, who is connected and who has gone."""

    def __init__(self) -> None:
        self.waiting = 0
        self.connected = 0
        self.ended = 0
        self.heads: List[bytes] = []
        self._answers = asyncio.Event()
        self._changed = asyncio.Event()
        self._writers: Set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> WaitingService:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=2048)
        self.port: int = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._answers.set()
        self._server.close()
        self.hang_up()
        await self.until(lambda: not self._writers)

    def hang_up(self) -> None:
        """Ends all connections."""
        for writer in list(self._writers):
            writer.transport.abort()

    def answer(self) -> None:
        """From now on nobody is held."""
        self._answers.set()

    async def until(self, holds: object) -> None:
        """Until it is so, at most 20 seconds."""
        assert callable(holds)

        async def look() -> None:
            while not holds():
                self._changed.clear()
                await self._changed.wait()

        await asyncio.wait_for(look(), 20)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        self._count(connected=1)
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                self.heads.append(head)
                self._count(waiting=1)
                gone = asyncio.ensure_future(reader.read(1))
                answers = asyncio.ensure_future(self._answers.wait())
                await asyncio.wait({gone, answers}, return_when=asyncio.FIRST_COMPLETED)
                self._count(waiting=-1)
                answers.cancel()
                if gone.done():
                    break
                gone.cancel()
                try:
                    await gone
                except asyncio.CancelledError:
                    pass
                writer.write(_answer_to(head))
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.transport.abort()
            self._writers.discard(writer)
            self._count(connected=-1, ended=1)

    def _count(self, waiting: int = 0, connected: int = 0, ended: int = 0) -> None:
        self.waiting += waiting
        self.connected += connected
        self.ended += ended
        self._changed.set()


def _answer_to(head: bytes) -> bytes:
    path = head.split(b" ", 2)[1].decode().split("?")[0]
    body = _USAGE if path.endswith("/usage") else json.dumps({"id": path.rsplit("/", 1)[1], "status": "completed", "result": {}}).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
