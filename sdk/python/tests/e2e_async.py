"""The client for tasks against a real service, and what no other flow asks: python e2e_async.py photo.jpg

Needs SUTURA_BASE_URL and SUTURA_API_KEY (a key with all scopes). Prints one line of JSON; ends with 1 at the first
expectation that does not hold. Is no unittest: the end-to-end tests of the service start it.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import threading
import traceback
from pathlib import Path
from typing import List

import support  # noqa: F401
from e2e_follow_up import expect

from sutura_sdk import (
    AsyncSuturaClient,
    BadRequestError,
    CompletedJob,
    ConflictError,
    NotFoundError,
    Subject,
    UnprocessableError,
    __version__,
)


async def analyse(client: AsyncSuturaClient, photo: Path) -> CompletedJob:
    """The same photo four times at once, of a patient each; two waits are given up in the middle."""
    steps: List[str] = []

    async def one(number: int) -> CompletedJob:
        subject: Subject = {"patientId": f"python-async-{number}", "woundId": "W1"}
        return await client.analyze_image_and_wait(photo, subject=subject, timeout=60, on_progress=lambda step: steps.append(step.phase))

    jobs = await asyncio.gather(*(one(number) for number in range(4)))
    expect("four photos are four jobs", len({job.id for job in jobs}) == 4)
    expect("each has a result", all(job.result["woundDetected"] for job in jobs))
    expect("progress tells of both phases", set(steps) == {"upload", "wait"})
    again = await client.analyze_image(photo, subject={"patientId": "python-async-0", "woundId": "W2"})
    for _ in range(2):
        wait = asyncio.ensure_future(client.wait_for_job(again.id))
        await asyncio.sleep(0)
        wait.cancel()
        try:
            await wait
        except asyncio.CancelledError:
            pass
    expect("a wait that was given up can be begun again", (await client.wait_for_job(again.id, timeout=60)).id == again.id)
    return jobs[0]


async def check_lists(client: AsyncSuturaClient, job: CompletedJob) -> None:
    pages = [len(page.items) async for page in client.iterate_jobs(limit=3).pages()]
    expect("pages are as large as was asked for", pages[0] == 3 and sum(pages) == 5)
    expect("every page leads to its items", job.id in [one.id async for one in client.iterate_jobs(limit=2)])
    report = await client.get_report(job.links["report"])
    expect("the report is of the job", report.job_id == job.id)
    with tempfile.TemporaryDirectory() as folder:
        saved = await client.download_artifact(job.id, "overlay", Path(folder) / "overlay.jpg")
        expect("the overlay is whole", saved.size_bytes == Path(saved.path).stat().st_size > 0)
    types = {event.type async for event in client.iterate_events(limit=50)}
    expect("the log tells of results", "analysis.completed" in types)


async def check_webhooks(client: AsyncSuturaClient) -> None:
    try:
        await client.create_webhook("https://10.1.2.3/sutura")
        expect("an address inside the house is refused", False)
    except UnprocessableError as error:
        expect("the refusal has its code", error.code == "webhook.url_refused")
    webhook = await client.create_webhook("https://ward.example.org/sutura", types=["report.ready"])
    expect("a webhook has its secret once", webhook.secret.startswith("whsec_") and webhook.types == ("report.ready",))
    changed = await client.change_webhook(webhook.id, types=[], signatures=["v1", "v1a"])
    expect("a webhook can be changed", changed.types == () and changed.signatures == ("v1", "v1a"))
    expect("and rotated", (await client.rotate_webhook(webhook.id, overlap=60)).secret != webhook.secret)
    expect("and paused", (await client.pause_webhook(webhook.id)).state == "paused")
    expect("and resumed", (await client.resume_webhook(webhook.id)).state == "active")
    expect("it is listed", [one.id for one in await client.list_webhooks()] == [webhook.id])
    expect("nothing was told before it was there", (await client.list_webhook_deliveries(webhook.id)).items == ())
    expect("nothing is sent again", await client.replay_webhook(webhook.id, since="2026-01-01T00:00:00Z") == 0)
    await client.delete_webhook(webhook.id)
    try:
        await client.get_webhook(webhook.id)
        expect("a deleted webhook is gone", False)
    except NotFoundError as error:
        expect("the refusal has its code", error.code == "webhook.not_found")


async def check_setup(client: AsyncSuturaClient, photo: Path) -> None:
    expect("a model is active", any(model.active and model.sha256 for model in await client.list_models()))
    expect("the card is a PDF", (await client.download_calibration_card("a4")).startswith(b"%PDF-"))
    cards = {card.size: card.measured_bar_mm for card in await client.measure_calibration_card("a4", 98.5)}
    expect("a measured bar is stored", cards == {"a4": 98.5, "credit-card": None})
    await client.forget_calibration_card()
    expect("and forgotten", all(card.measured_bar_mm is None for card in await client.list_calibration_cards()))
    try:
        await client.analyze_image(photo, subject={"patientId": "python-held"}, metadata={"sandbox": "held:identity_conflict"})
        expect("what is held has no job", False)
    except ConflictError as error:
        expect("the refusal says that a person decides", error.code == "identity.conflict")
    held = [one async for one in client.iterate_held(reason="identity_conflict", limit=1)]
    expect("it waits for a person", len(held) == 1 and "discard" in held[0].actions)
    expect("it can be read", (await client.get_held(held[0].id)).waits_for == held[0].waits_for)
    await client.resolve_held(held[0].id, action="discard", note="A test.")
    expect("and waits no more", (await client.list_held()).items == ())


async def check_request(client: AsyncSuturaClient) -> None:
    answer = await client.request("GET", "/api/v1/usage")
    limits = {one.policy: one.remaining for one in answer.rate_limits}
    expect("any route has its headers", answer.request_id is not None and limits.get("daily") == answer.json()["remaining"])
    key = f"python-async-{answer.request_id}"
    first, again = [await client.request("POST", "/api/v1/images/upload-url", json={}, idempotency_key=key) for _ in range(2)]
    expect("a key makes a repeat harmless", first.body == again.body and again.headers.get("idempotency-replayed") == "true")
    try:
        await client.request("GET", "/api/v1/wounds", query={"nothing": True})
        expect("a wrong filter is refused", False)
    except BadRequestError as error:
        expect("a refusal has its pointer", [one["pointer"] for one in error.errors] == ["/query/nothing"])


async def main(photo: Path) -> str:
    async with AsyncSuturaClient(timeout=20) as client:
        job = await analyse(client, photo)
        await check_lists(client, job)
        await check_webhooks(client)
        await check_setup(client, photo)
        await check_request(client)
    return job.id


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        first_job = asyncio.run(main(Path(sys.argv[1])))
    except Exception as fault:
        traceback.print_exc()
        print(json.dumps({"ok": False, "failed": f"{type(fault).__name__}: {fault}"}))
        sys.exit(1)
    print(json.dumps({"ok": True, "sdk": __version__, "python": sys.version.split()[0], "threads": threading.active_count(), "job": first_job}))
