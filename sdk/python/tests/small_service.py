"""The happy side of the service in this process, for what needs no script: examples, connections, threads."""

from __future__ import annotations

import json
import ssl
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List, Mapping, Optional, Tuple
from urllib.parse import urlsplit

from small_follow_up import SmallFollowUp, is_follow_up
from small_setup import answer_setup, is_setup

KEY = "sut_test_ExampleKey000000000000000000000AbC123"
_NOW = "2026-01-05T08:00:00.000Z"
_RESULT = {
    "schemaVersion": "1.0",
    "woundDetected": True,
    "wounds": [
        {
            "index": 0,
            "area": {"pixels": 2880, "cm2": {"value": 1.27}},
            "length": {"pixels": 96, "cm": {"value": 2.02}},
            "width": {"pixels": 60, "cm": {"value": 1.26}},
            "perimeter": {"pixels": 226.4, "cm": {"value": 4.75}},
        }
    ],
    "totals": {"woundCount": 1, "areaPixels": 2880, "areaCm2": 1.27},
    "quality": {"acceptable": True, "warnings": []},
}


class SmallService:
    """Serves until it is closed, on a free port of this machine."""

    def __init__(self, tls: Optional[ssl.SSLContext] = None) -> None:
        self.requests: List[str] = []
        #: Where each request came from: as many different ones as there were connections.
        self.peers: List[Tuple[str, int]] = []
        self.jobs: Dict[str, Dict[str, Any]] = {}
        #: Ids of jobs by the Idempotency-Key that they were made with.
        self.first_jobs: Dict[str, str] = {}
        self.follow_up = SmallFollowUp()
        service = self

        class Handler(_Handler):
            pass

        Handler.service = service
        self._server = _Server(("127.0.0.1", 0), Handler)
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.port: int = self._server.server_address[1]
        # The address and not `localhost`, which is first asked for at ::1, where a port of this number may be anybody's.
        self.url = f"{'http' if tls is None else 'https'}://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> "SmallService":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # Twelve threads may knock at once.
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is what several tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    service: SmallService

    def _handle(self) -> None:
        service = self.service
        service.peers.append(self.client_address)
        parts = urlsplit(self.path)
        service.requests.append(f"{self.command} {parts.path}")
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if not parts.path.startswith("/storage/") and self.headers.get("Authorization") != f"Bearer {KEY}":
            return self._answer(401, {"code": "auth.invalid", "detail": "The key is mistyped or unknown."})
        path = parts.path.strip("/").split("/")
        if is_follow_up(path):
            return self._answer(*self.service.follow_up.answer(self.command, path[2:], self.headers, body))
        if is_setup(path):
            return self._answer(*answer_setup(self.command, path[2:]))
        self._route(self.command, path, body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _handle

    def _route(self, method: str, path: List[str], body: bytes) -> None:
        jobs = self.service.jobs
        if method == "PUT":
            self._answer(200, None)
        elif method == "GET" and path[-2:-1] == ["images"]:
            self._answer(200, {"imageId": path[-1], "status": "stored", "contentType": "image/jpeg", "sizeBytes": 1024, "readable": True})
        elif method == "DELETE":
            self._answer(204, None)
        elif path[-1] == "upload-url":
            image_id = str(uuid.uuid4())
            address = f"{self.service.url}/storage/uploads/{image_id}?signature=secret-of-the-address"
            ticket = {"imageId": image_id, "uploadUrl": address, "headers": {}, "expiresAt": _NOW, "maxBytes": 20971520}
            self._answer(201, {**ticket, "method": "PUT"})
        elif method == "POST":
            key = self.headers.get("Idempotency-Key")
            job = {"id": str(uuid.uuid4()), "status": "queued", "createdAt": _NOW, **json.loads(body)}
            if key is not None:
                job["id"] = self.service.first_jobs.setdefault(key, job["id"])
            jobs[job["id"]] = job
            self._answer(201, job)
        elif path[-1] == "events":
            event = {"id": "e-1", "type": "report.ready", "timestamp": _NOW, "recordedAt": _NOW, "data": {"reportId": "r-1"}}
            self._answer(200, {"items": [event], "nextCursor": None, "keptSince": _NOW})
        elif path[-1] == "usage":
            limit = {"RateLimit": '"daily";r=24;t=57600', "RateLimit-Policy": '"daily";q=25;w=86400'}
            usage = {"limit": 25, "used": 1, "remaining": 24, "resetsAt": "2026-01-06T00:00:00.000Z"}
            self._answer(200, usage, headers=limit)
        elif path[-1] in ("mask", "overlay"):
            self._answer(200, b"\x89PNG picture", "image/png")
        elif path[-1] == "jobs":
            self._answer(200, {"items": [self._finished(job) for job in jobs.values()], "nextCursor": None})
        elif path[-1] in jobs:
            self._answer(200, self._finished(jobs[path[-1]]))
        else:
            self._answer(404, {"code": "job.not_found", "detail": "Check the job id."})

    def _finished(self, job: Dict[str, Any]) -> Dict[str, Any]:
        links = {"report": f"{self.service.url}/api/v1/reports/{self.service.follow_up.report_id}"}
        return {**job, "status": "completed", "completedAt": _NOW, "result": _RESULT, "links": links}

    def _answer(
        self, status: int, content: Any, kind: str = "application/json", headers: Optional[Mapping[str, str]] = None
    ) -> None:
        body = content if isinstance(content, bytes) else b"" if content is None else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Request-Id", "request-1")
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        return
