"""What only a client of tasks can do, or leave behind: cancellation, many waits, event loops."""

from __future__ import annotations

import asyncio
import gc
import io
import os
import socket
import tempfile
import threading
import unittest
import warnings
from pathlib import Path
from typing import Any, Callable, Coroutine

from case_runner import OneWayStream
from small_service import KEY, SmallService
from support import JPEG
from waiting_service import WaitingService

from sutura_sdk import AsyncSuturaClient, NetworkError, Progress, RequestTimeoutError

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

MANY = 1000


def silent_listener() -> socket.socket:
    """Takes connections and says nothing."""
    return socket.create_server(("127.0.0.1", 0))


class QuietLoop(unittest.IsolatedAsyncioTestCase):
    """Without the remarks of a loop that is being debugged, which unittest turns on."""

    async def asyncSetUp(self) -> None:
        asyncio.get_running_loop().set_debug(False)


class Cancelling(QuietLoop):
    async def asyncSetUp(self) -> None:
        await super().asyncSetUp()
        self.service = WaitingService()
        await self.service.__aenter__()
        self.addAsyncCleanup(self.service.__aexit__)
        self.client = AsyncSuturaClient(KEY, base_url=self.service.url)
        self.addAsyncCleanup(self.client.close)

    async def cancel_while(self, call: Coroutine[Any, Any, Any], holds: Callable[[], bool]) -> None:
        task = asyncio.ensure_future(call)
        await self.service.until(holds)
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task

    async def test_leaves_no_socket_behind_a_cancelled_call(self) -> None:
        for call in (self.client.get_usage(), self.client.wait_for_job("j"), self.client.download_artifact("j", "mask", "none.png")):
            ended = self.service.ended
            await self.cancel_while(call, lambda: self.service.waiting == 1)
            await self.service.until(lambda: self.service.ended == ended + 1)
            self.assertEqual(self.service.connected, 0)
        self.assertFalse(Path("none.png").exists())

    async def test_goes_on_after_a_cancelled_call(self) -> None:
        await self.cancel_while(self.client.get_usage(), lambda: self.service.waiting == 1)
        self.service.answer()
        self.assertEqual((await self.client.get_usage()).limit, 25)

    async def test_leaves_no_socket_behind_a_time_out_of_the_caller(self) -> None:
        with self.assertRaises(asyncio.TimeoutError):
            await asyncio.wait_for(self.client.get_usage(), 0.05)
        await self.service.until(lambda: self.service.ended == 1)

    async def test_leaves_no_socket_behind_in_whichever_turn_of_the_loop_it_is_cancelled(self) -> None:
        self.service.answer()
        cancelled = 0
        for turns in range(40):
            async with AsyncSuturaClient(KEY, base_url=self.service.url) as client:
                task = asyncio.ensure_future(client.analyze_image(JPEG) if turns % 2 else client.get_usage())
                for _ in range(turns // 2):
                    await asyncio.sleep(0)
                task.cancel()
                await asyncio.wait({task})
                cancelled += task.cancelled()
        self.assertGreater(cancelled, 5)
        await self.service.until(lambda: self.service.connected == 0)

    async def test_leaves_no_socket_behind_a_cancelled_upload(self) -> None:
        sent = asyncio.Event()

        def note(progress: Progress) -> None:
            sent.set()

        # The listener takes the connection and reads nothing: after what the system buffers, the upload stands still.
        with silent_listener() as listener:
            address = f"http://127.0.0.1:{listener.getsockname()[1]}/storage"
            task = asyncio.ensure_future(self.client.upload_file_to_signed_url(address, JPEG + bytes(30_000_000), on_progress=note))
            await asyncio.wait_for(sent.wait(), 10)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            self.assertTrue(await asyncio.to_thread(ends, listener))

    async def test_leaves_no_socket_behind_a_cancelled_handshake(self) -> None:
        with silent_listener() as listener:
            async with AsyncSuturaClient(KEY, base_url=f"https://127.0.0.1:{listener.getsockname()[1]}") as client:
                task = asyncio.ensure_future(client.get_usage())
                connection = await asyncio.to_thread(first_connection, listener)
                with connection:
                    task.cancel()
                    with self.assertRaises(asyncio.CancelledError):
                        await task
                    self.assertTrue(await asyncio.to_thread(is_at_its_end, connection))

    async def test_does_not_wait_on_in_a_pause(self) -> None:
        closed = asyncio.Event()
        pauses: "asyncio.Future[None]" = asyncio.get_running_loop().create_future()

        async def busy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 50\r\nContent-Length: 0\r\n\r\n")
            await reader.read()
            writer.close()
            await writer.wait_closed()
            closed.set()

        class Noting(type(self.client._transport.clock)):  # type: ignore[misc]
            async def sleep(self, seconds: float) -> None:
                pauses.set_result(None)
                await super().sleep(seconds)

        server = await asyncio.start_server(busy, "127.0.0.1", 0)
        self.addCleanup(server.close)
        async with AsyncSuturaClient(KEY, base_url=f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}") as client:
            client._transport.clock = Noting()
            task = asyncio.ensure_future(client.get_usage())
            await asyncio.wait_for(pauses, 10)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
        await asyncio.wait_for(closed.wait(), 10)

    async def test_leaves_no_file_behind_a_cancelled_call(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            call = self.client.analyze_image(OneWayStream(JPEG))  # type: ignore[arg-type]
            old, tempfile.tempdir = tempfile.tempdir, folder
            try:
                await self.cancel_while(call, lambda: self.service.waiting == 1)
            finally:
                tempfile.tempdir = old
            self.assertEqual(os.listdir(folder), [])


def first_connection(listener: socket.socket) -> socket.socket:
    listener.settimeout(10)
    connection, _ = listener.accept()
    connection.settimeout(10)
    return connection


def is_at_its_end(connection: socket.socket) -> bool:
    """Reads it up to its end; a reset is one, too."""
    try:
        while connection.recv(1 << 20):
            pass
    except ConnectionError:
        pass
    return True


def ends(listener: socket.socket) -> bool:
    with first_connection(listener) as connection:
        return is_at_its_end(connection)


class Timing(QuietLoop):
    async def test_gives_up_on_a_handshake_in_the_time_that_was_given(self) -> None:
        with silent_listener() as listener:
            port = listener.getsockname()[1]
            async with AsyncSuturaClient(KEY, base_url=f"https://127.0.0.1:{port}", timeout=0.2, max_retries=0) as client:
                with self.assertRaisesRegex(RequestTimeoutError, "No connection to https://127.0.0.1"):
                    await client.get_usage()

    async def test_gives_up_on_a_service_that_says_nothing(self) -> None:
        async with WaitingService() as service, AsyncSuturaClient(KEY, base_url=service.url, timeout=0.2, max_retries=0) as client:
            with self.assertRaisesRegex(RequestTimeoutError, "before the answer"):
                await client.get_usage()
            await service.until(lambda: service.ended == 1)

    async def test_knows_an_ended_connection_from_one_that_is_kept(self) -> None:
        async with WaitingService() as service, AsyncSuturaClient(KEY, base_url=service.url, max_retries=0) as client:
            service.answer()
            for round_ in (1, 2, 3):
                await client.get_usage()
                service.hang_up()
                await service.until(lambda: service.ended == round_)

    async def test_takes_a_reset_for_a_network_error(self) -> None:
        async def reset(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\n\r\n{")
            await writer.drain()
            sock: Any = writer.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            writer.transport.abort()

        server = await asyncio.start_server(reset, "127.0.0.1", 0)
        self.addCleanup(server.close)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with AsyncSuturaClient(KEY, base_url=url, max_retries=0) as client:
            with self.assertRaises(NetworkError):
                await client.get_usage()


class Loops(unittest.TestCase):
    def test_says_that_it_belongs_to_another_loop(self) -> None:
        with SmallService() as service:
            client = AsyncSuturaClient(KEY, base_url=service.url)

            async def use_and_close() -> None:
                await client.get_usage()

            async def use() -> None:
                with self.assertRaisesRegex(RuntimeError, "belongs to another event loop"):
                    await client.get_usage()

            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ResourceWarning)
                asyncio.run(use_and_close())
                asyncio.run(use())
                del client
                gc.collect()

    def test_closes_its_connections_when_it_is_closed(self) -> None:
        async def use() -> None:
            async with WaitingService() as service:
                service.answer()
                client = AsyncSuturaClient(KEY, base_url=service.url)
                await asyncio.gather(*(client.get_usage() for _ in range(10)))
                self.assertGreater(service.connected, 0)
                await client.close()
                await service.until(lambda: service.connected == 0)

        asyncio.run(use())

    def test_serves_many_tasks_at_once_and_mixes_nothing_up(self) -> None:
        async def use() -> None:
            with SmallService() as service:
                async with AsyncSuturaClient(KEY, base_url=service.url) as client:

                    async def analyse(number: int) -> bool:
                        job = await client.analyze_image_and_wait(io.BytesIO(JPEG + bytes([number])), metadata={"number": str(number)})
                        return job.metadata == {"number": str(number)}

                    self.assertTrue(all(await asyncio.gather(*map(analyse, range(36)))))
                    self.assertLessEqual(len(set(service.peers)), 36)

        asyncio.run(use())

    def test_goes_through_pages_and_items(self) -> None:
        async def use() -> None:
            with SmallService() as service:
                async with AsyncSuturaClient(KEY, base_url=service.url) as client:
                    job = await client.analyze_image(JPEG)
                    pages = client.iterate_jobs()
                    self.assertTrue(pages.has_next_page)
                    self.assertEqual([[one.id for one in page.items] async for page in pages.pages()], [[job.id]])
                    self.assertFalse(pages.has_next_page)
                    self.assertEqual([one async for one in pages], [])
                    self.assertEqual([one.id async for one in client.iterate_jobs()], [job.id])

        asyncio.run(use())


class ManyWaits(QuietLoop):
    def setUp(self) -> None:
        if resource is None:
            self.skipTest("This system does not say how many sockets a process may have.")
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        needed = 2 * MANY + 200
        if hard != resource.RLIM_INFINITY and hard < needed:
            self.skipTest(f"A process may have {hard} files here, and {needed} are needed.")
        if soft != resource.RLIM_INFINITY and soft < needed:
            resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
            self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))

    async def test_waits_for_a_thousand_jobs_at_once_in_one_thread(self) -> None:
        threads = threading.active_count()
        async with WaitingService() as service, AsyncSuturaClient(KEY, base_url=service.url) as client:
            waits = [asyncio.ensure_future(client.wait_for_job(f"job-{number}")) for number in range(MANY)]
            await service.until(lambda: service.waiting == MANY)
            # Those of an earlier test may still have been about to end.
            self.assertLessEqual(threading.active_count(), threads)
            service.answer()
            jobs = await asyncio.gather(*waits)
            self.assertEqual([job.id for job in jobs], [f"job-{number}" for number in range(MANY)])
            self.assertEqual(len(service.heads), MANY)


if __name__ == "__main__":
    unittest.main()
