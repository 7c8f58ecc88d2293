"""Receives webhooks with Flask: WEBHOOK_SECRET=whsec_… flask --app webhook_flask run --port 8080"""

from __future__ import annotations

import os
from typing import Set, Tuple

from flask import Flask, request

from sutura_sdk import WebhookVerificationError, verify_webhook

app = Flask(__name__)
#: For a trial: a service keeps the event under its webhook-id in a table, in one transaction with its work.
_seen: Set[str] = set()


@app.post("/sutura")
def receive() -> Tuple[str, int]:
    try:
        # get_data, not get_json: the signature is over the bytes as they came.
        event = verify_webhook(request.get_data(), request.headers, os.environ.get("WEBHOOK_SECRET"))
    except WebhookVerificationError as error:
        app.logger.warning("%s", error)
        return "", 400
    event_id = request.headers["webhook-id"]
    is_new = event_id not in _seen
    _seen.add(event_id)
    if is_new and event is not None and event["type"] == "report.ready":
        area = event["data"]["areaCm2"]  # None, or the value within its bounds
        print(event["data"]["reportId"], area and area["value"], flush=True)
    return "", 204
