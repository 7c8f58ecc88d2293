"""Receives webhooks with Python alone: WEBHOOK_SECRET=whsec_… python webhook_http.py"""

from __future__ import annotations

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Set

from sutura_sdk import WebhookVerificationError, verify_webhook

#: For a trial: a service keeps the event under its webhook-id in a table, in one transaction with its work.
_SEEN: Set[str] = set()
_LOCK = Lock()


def _is_new(event_id: str) -> bool:
    with _LOCK:
        if event_id in _SEEN:
            return False
        _SEEN.add(event_id)
        return True


class Receiver(BaseHTTPRequestHandler):
    """Takes ``POST /sutura``."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path != "/sutura":
            self.send_error(404)
            return
        try:
            event = verify_webhook(body, self.headers, os.environ.get("WEBHOOK_SECRET"))
        except WebhookVerificationError as error:
            self.log_error("%s", error)
            self.send_error(400)
            return
        except Exception:
            self.send_error(500)
            raise
        self.send_response(204)
        self.end_headers()
        if _is_new(self.headers["webhook-id"]) and event and event["type"] == "report.ready":
            area = event["data"]["areaCm2"]  # None, or the value within its bounds
            print(event["data"]["reportId"], area and area["value"], flush=True)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver)
    print(f"Listening on http://127.0.0.1:{server.server_address[1]}/sutura", flush=True)
    server.serve_forever()
