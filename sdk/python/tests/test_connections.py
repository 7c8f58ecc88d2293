"""Connections: kept, dropped, shared by threads, secured, led through a proxy."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, List
from unittest import mock

from small_service import KEY, SmallService
from support import JPEG, AsyncRecordingClock, LoopedClient, RecordingClock

from sutura_sdk import ConfigurationError, ConflictError, NetworkError, RequestTimeoutError, SuturaClient
from sutura_sdk._channel import Channel


class Listener:
    """A bare server: every connection is handed to ``talk``."""

    def __init__(self, talk: Callable[[socket.socket], None]) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.connections = 0
        self._talk = talk
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._handle, args=(connection,), daemon=True).start()

    def _handle(self, connection: socket.socket) -> None:
        with connection:
            try:
                self._talk(connection)
            except OSError:
                pass

    def close(self) -> None:
        self._socket.close()


def read_head(connection: socket.socket) -> bytes:
    head = b""
    while b"\r\n\r\n" not in head:
        piece = connection.recv(4096)
        if not piece:
            break
        head += piece
    return head


def read_exactly(connection: socket.socket, count: int) -> bytes:
    read = bytearray()
    while len(read) < count:
        piece = connection.recv(min(1 << 20, count - len(read)))
        if not piece:
            break
        read += piece
    return bytes(read)


def http_answer(body: bytes, *headers: str) -> bytes:
    lines = ["HTTP/1.1 200 OK", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def answering(answer: bytes) -> Callable[[socket.socket], None]:
    """Answers once and closes."""

    def talk(connection: socket.socket) -> None:
        read_head(connection)
        connection.sendall(answer)

    return talk


USAGE = b'{"limit":25,"used":1,"remaining":24,"resetsAt":"2026-01-06T00:00:00.000Z"}'


class Connections(unittest.TestCase):
    make: Any = SuturaClient
    clock: Any = RecordingClock

    def listen(self, talk: Callable[[socket.socket], None]) -> Listener:
        listener = Listener(talk)
        self.addCleanup(listener.close)
        return listener

    def client(self, url: str, **options: Any) -> Any:
        client = self.make(KEY, base_url=url, **options)
        client._transport.clock = self.clock()
        self.addCleanup(client.close)
        return client

    def test_refuses_calls_after_it_was_closed(self) -> None:
        with SmallService() as service:
            client = self.make(KEY, base_url=service.url)
            with client:
                client.get_usage()
            with self.assertRaisesRegex(RuntimeError, "The client is closed"):
                client.get_usage()
            client.close()
            self.assertEqual(len(service.requests), 1)

    def test_uses_one_connection_for_request_after_request(self) -> None:
        with SmallService() as service, self.make(KEY, base_url=service.url) as client:
            client.analyze_image_and_wait(JPEG)
            self.assertGreaterEqual(len(service.requests), 4)
            self.assertEqual(len(set(service.peers)), 1)

    def test_takes_a_new_connection_where_the_other_side_has_closed_the_kept_one(self) -> None:
        closed = threading.Event()

        def talk(connection: socket.socket) -> None:
            read_head(connection)
            connection.sendall(http_answer(USAGE))
            connection.shutdown(socket.SHUT_RDWR)
            closed.set()

        client = self.client(self.listen(talk).url, max_retries=0)
        for _ in range(3):
            closed.clear()
            self.assertEqual(client.get_usage().limit, 25)
            self.assertTrue(closed.wait(5))

    def test_does_not_keep_a_connection_longer_than_the_other_side_says(self) -> None:
        def talk(connection: socket.socket) -> None:
            while read_head(connection):
                connection.sendall(http_answer(USAGE, "Keep-Alive: timeout=1"))

        listener = self.listen(talk)
        client = self.client(listener.url)
        client.get_usage()
        client.get_usage()
        self.assertEqual(listener.connections, 2)

    def test_gives_up_on_an_answer_that_only_trickles(self) -> None:
        def talk(connection: socket.socket) -> None:
            read_head(connection)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n")
            while True:
                connection.sendall(b" ")
                threading.Event().wait(0.02)

        with self.assertRaises(RequestTimeoutError):
            self.client(self.listen(talk).url, timeout=0.3, max_retries=0).get_usage()

    def test_reads_an_answer_in_chunks_and_one_without_length(self) -> None:
        chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(USAGE), USAGE)
        for answer in (chunked, b"HTTP/1.0 200 OK\r\n\r\n" + USAGE):
            self.assertEqual(self.client(self.listen(answering(answer)).url).get_usage().used, 1)

    def test_takes_no_cut_chunk_for_an_answer(self) -> None:
        cut = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n" % (len(USAGE), USAGE)
        with self.assertRaises(NetworkError):
            self.client(self.listen(answering(cut)).url, max_retries=0).get_usage()

    def test_names_what_cannot_be_reached_and_what_to_check(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with self.assertRaisesRegex(NetworkError, rf"No connection to {url} \(.+\)\. Check base_url"):
            self.client(url, max_retries=0).get_usage()

    def test_hears_a_refusal_although_the_photo_is_still_on_its_way(self) -> None:
        refusal = b'{"code":"image.already_uploaded","detail":"Request a new upload URL."}'

        def talk(connection: socket.socket) -> None:
            read_head(connection)
            connection.sendall(b"HTTP/1.1 409 Conflict\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(refusal), refusal))
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(1 << 20):
                pass

        client = self.client(self.listen(talk).url)
        with self.assertRaises(ConflictError):
            client.upload_file_to_signed_url(f"{client._transport.base.origin}/storage", JPEG + bytes(30_000_000))

    def test_counts_the_time_of_an_upload_by_its_progress(self) -> None:
        def talk(connection: socket.socket) -> None:
            read_head(connection)
            threading.Event().wait(5)

        listener = self.listen(talk)
        with self.assertRaises(RequestTimeoutError):
            self.client(listener.url, timeout=0.3, max_retries=0).upload_file_to_signed_url(listener.url, JPEG + bytes(30_000_000))


    def test_lets_an_upload_take_longer_than_its_timeout_as_long_as_it_moves(self) -> None:
        size = len(JPEG) + 16_000_000

        def talk(connection: socket.socket) -> None:
            left = size - len(read_head(connection).partition(b"\r\n\r\n")[2])
            for _ in range(8):
                threading.Event().wait(0.2)
                left -= len(read_exactly(connection, 1_500_000))
            read_exactly(connection, left)
            connection.sendall(http_answer(b""))

        listener = self.listen(talk)
        began = time.monotonic()
        client = self.client(listener.url, timeout=1, max_retries=0)
        self.assertEqual(client.upload_file_to_signed_url(listener.url, JPEG + bytes(16_000_000)).size_bytes, size)
        self.assertGreater(time.monotonic() - began, 1)

    def test_refuses_chunks_without_a_size_and_heads_without_an_end(self) -> None:
        for answer in (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n{}\r\n0\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 100_000,
            b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
        ):
            with self.assertRaises(NetworkError):
                self.client(self.listen(answering(answer)).url, max_retries=0).get_usage()

    def test_passes_over_interim_answers(self) -> None:
        answer = b"HTTP/1.1 100 Continue\r\n\r\n" + http_answer(USAGE)
        self.assertEqual(self.client(self.listen(answering(answer)).url).get_usage().limit, 25)


class AsyncConnections(Connections):
    make = LoopedClient
    clock = AsyncRecordingClock

    def test_keeps_no_connection_on_which_more_came_than_was_asked_for(self) -> None:
        def talk(connection: socket.socket) -> None:
            while read_head(connection):
                connection.sendall(http_answer(USAGE) + b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

        listener = self.listen(talk)
        client = self.client(listener.url)
        for _ in range(3):
            self.assertEqual(client.get_usage().limit, 25)
        self.assertEqual(listener.connections, 3)

    def test_drops_a_connection_that_the_loop_has_closed_by_itself(self) -> None:
        async def talk() -> None:
            loop = asyncio.get_running_loop()
            near, far = socket.socketpair()
            with far:
                _, channel = await loop.create_connection(lambda: Channel(loop), sock=near)
                channel.transport.write(bytes(10_000_000))
                far.shutdown(socket.SHUT_WR)
                await loop.run_in_executor(None, drain, far)
                await channel.gone
            channel.drop()

        def drain(end: socket.socket) -> None:
            while end.recv(1 << 20):
                pass

        asyncio.run(talk())


class Threads(unittest.TestCase):
    def test_serves_many_threads_at_once_and_mixes_nothing_up(self) -> None:
        with SmallService() as service, SuturaClient(KEY, base_url=service.url) as client:

            def analyse(number: int) -> bool:
                job = client.analyze_image_and_wait(JPEG + bytes([number]), metadata={"number": str(number)})
                return job.metadata == {"number": str(number)}

            with ThreadPoolExecutor(12) as threads:
                self.assertTrue(all(threads.map(analyse, range(36))))

    def test_does_not_share_its_connections_with_a_forked_process(self) -> None:
        with SmallService() as service, SuturaClient(KEY, base_url=service.url) as client:
            client.get_usage()
            with mock.patch("os.getpid", return_value=-1):
                client.get_usage()
            self.assertEqual(len(set(service.peers)), 2)


class Proxies(unittest.TestCase):
    make: Any = SuturaClient

    def setUp(self) -> None:
        self.heads: List[bytes] = []

        def talk(connection: socket.socket) -> None:
            while True:
                head = read_head(connection)
                if not head:
                    return
                self.heads.append(head)
                if head.startswith(b"CONNECT"):
                    connection.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
                    return
                connection.sendall(http_answer(USAGE))

        self.proxy = Listener(talk)
        self.addCleanup(self.proxy.close)

    def environment(self, **values: str) -> Any:
        cleared = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        return mock.patch.dict(os.environ, {**cleared, **values}, clear=True)

    def client(self, url: str) -> Any:
        client = self.make(KEY, base_url=url, max_retries=0)
        self.addCleanup(client.close)
        return client

    def test_goes_through_the_proxy_of_the_environment(self) -> None:
        with self.environment(http_proxy=f"http://user:pass%40word@127.0.0.1:{self.proxy.port}"):
            client = self.client("http://sutura.example:8080/prefix")
            self.assertEqual(client.get_usage().limit, 25)
            client.get_usage()
        self.assertEqual(self.proxy.connections, 1)
        self.assertTrue(self.heads[0].startswith(b"GET http://sutura.example:8080/prefix/api/v1/usage HTTP/1.1\r\n"), self.heads[0])
        self.assertIn(b"\r\nHost: sutura.example:8080\r\n", self.heads[0])
        self.assertIn(b"\r\nProxy-Authorization: Basic dXNlcjpwYXNzQHdvcmQ=\r\n", self.heads[0])

    def test_asks_a_proxy_for_a_tunnel_and_does_not_show_it_the_key(self) -> None:
        with self.environment(https_proxy=f"http://127.0.0.1:{self.proxy.port}"):
            with self.assertRaisesRegex(NetworkError, "https://sutura.example through the proxy 127.0.0.1"):
                self.client("https://sutura.example").get_usage()
        self.assertTrue(self.heads[0].startswith(b"CONNECT sutura.example:443 HTTP/1."), self.heads[0])
        self.assertNotIn(KEY.encode(), self.heads[0])

    def test_goes_past_the_proxy_to_this_machine_and_where_the_environment_says_so(self) -> None:
        with SmallService() as service:
            with self.environment(http_proxy=f"http://127.0.0.1:{self.proxy.port}"):
                self.client(service.url).get_usage()
        with self.environment(http_proxy=f"http://127.0.0.1:{self.proxy.port}", no_proxy=".example"):
            with self.assertRaisesRegex(NetworkError, r"No connection to http://sutura\.example \("):
                with mock.patch("socket.getaddrinfo", side_effect=socket.gaierror(-2, "unknown")):
                    self.client("http://sutura.example").get_usage()
        self.assertEqual(self.heads, [])

    def test_refuses_a_proxy_that_it_cannot_use(self) -> None:
        with self.environment(http_proxy="socks5://127.0.0.1:9"):
            with self.assertRaises(ConfigurationError):
                self.client("http://sutura.example").get_usage()


class AsyncProxies(Proxies):
    make = LoopedClient

    def test_takes_no_answer_that_came_before_the_tunnel_was_secured(self) -> None:
        def talk(connection: socket.socket) -> None:
            read_head(connection)
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + http_answer(USAGE))

        proxy = Listener(talk)
        self.addCleanup(proxy.close)
        with self.environment(https_proxy=f"http://127.0.0.1:{proxy.port}"):
            with self.assertRaisesRegex(NetworkError, "more than its answer"):
                self.client("https://sutura.example").get_usage()


@unittest.skipUnless(shutil.which("openssl"), "needs the openssl command to make a certificate")
class Tls(unittest.TestCase):
    make: Any = SuturaClient
    clock: Any = RecordingClock
    certificate: Path
    key: Path

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.certificate, cls.key = Path(folder.name) / "certificate.pem", Path(folder.name) / "key.pem"
        subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"]
        files = ["-keyout", str(cls.key), "-out", str(cls.certificate)]
        command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        subprocess.run([*command, *files, *subject], check=True, capture_output=True)

    def service(self) -> SmallService:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        return SmallService(context)

    def test_does_not_trust_an_unknown_authority_and_does_not_try_again(self) -> None:
        with self.service() as service, self.make(KEY, base_url=service.url) as client:
            client._transport.clock = clock = self.clock()
            with self.assertRaisesRegex(NetworkError, r"certificate of https://127\.0\.0\.1:[0-9]+ is not trusted.*ssl_context"):
                client.get_usage()
            self.assertEqual((service.requests, clock.pauses), ([], []))

    def test_does_the_whole_flow_with_an_authority_of_the_callers(self) -> None:
        trusting = ssl.create_default_context(cafile=str(self.certificate))
        with self.service() as service, self.make(KEY, base_url=service.url, ssl_context=trusting) as client:
            job = client.analyze_image_and_wait(JPEG + bytes(2_000_000))
            self.assertEqual(job.status, "completed")
            self.assertEqual(len(set(service.peers)), 1)

    def test_reads_again_whom_the_machine_trusts_where_that_failed(self) -> None:
        trusting = ssl.create_default_context(cafile=str(self.certificate))
        for failure in (OSError(errno.EMFILE, "Too many open files"), ssl.SSLError(1, "no certificates")):
            with self.service() as service, self.make(KEY, base_url=service.url, max_retries=0) as client:
                with mock.patch("ssl.create_default_context", side_effect=[failure, trusting]) as read:
                    with self.assertRaisesRegex(NetworkError, r"No connection to https://127\.0\.0\.1"):
                        client.get_usage()
                    client.get_usage()
                    client.get_usage()
                self.assertEqual((read.call_count, len(service.requests)), (2, 2))


class AsyncTls(Tls):
    make = LoopedClient
    clock = AsyncRecordingClock


if __name__ == "__main__":
    unittest.main()
