"""Receives webhooks with FastAPI: WEBHOOK_SECRET=whsec_… uvicorn webhook_fastapi:app --port 8080"""

from __future__ import annotations

import logging
import os
from typing import Set

from fastapi import FastAPI, Request, Response

from sutura_sdk import WebhookVerificationError, verify_webhook

app = FastAPI()
#: For a trial: a service keeps the event under its webhook-id in a table, in one transaction with its work.
_seen: Set[str] = set()


@app.post("/sutura")
async def receive(request: Request) -> Response:
    try:
        # The raw body, not a model: the signature is over the bytes as they came.
        event = verify_webhook(await request.body(), request.headers, os.environ.get("WEBHOOK_SECRET"))
    except WebhookVerificationError as error:
        logging.warning("%s", error)
        return Response(status_code=400)
    event_id = request.headers["webhook-id"]
    is_new = event_id not in _seen
    _seen.add(event_id)
    if is_new and event is not None and event["type"] == "report.ready":
        area = event["data"]["areaCm2"]  # None, or the value within its bounds
        print(event["data"]["reportId"], area and area["value"], flush=True)
    return Response(status_code=204)
