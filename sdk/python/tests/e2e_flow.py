"""The whole flow against a real service: python e2e_flow.py photo.jpg [--photos-alone]

Needs SUTURA_BASE_URL and SUTURA_API_KEY (a key with all scopes). Prints one line of JSON; ends with 1 at the first
expectation that does not hold. With --photos-alone without wounds and reports, which the JavaScript flow has over that
store. Is no unittest: the end-to-end tests of the service start it.
"""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
import traceback
from pathlib import Path
from typing import List, cast

import support  # noqa: F401
from e2e_follow_up import check_follow_up, expect

from sutura_sdk import (
    ConflictError,
    GoneError,
    Job,
    MeasuredValue,
    NotFoundError,
    Progress,
    SuturaClient,
    WoundResult,
    __version__,
)


def analyse(client: SuturaClient, photo: Path) -> List[Job]:
    """The same photo from a path, from memory and from a stream that cannot be rewound."""
    steps: List[Progress] = []
    from_path = client.analyze_image_and_wait(
        photo,
        clinical_context="Ferse links, Tag 12: gerötet 🩹",
        subject={"patientId": "python-e2e", "woundId": "W1", "laterality": "left"},
        calibration={"mmPerPixel": 0.2},
        metadata={"by": "path"},
        timeout=60,
        on_progress=steps.append,
    )
    from_bytes = client.analyze_image_and_wait(photo.read_bytes(), metadata={"by": "bytes"}, timeout=60)
    with photo.open("rb") as file:
        from_file = client.analyze_image_and_wait(file, metadata={"by": "file"}, timeout=60)
    from_stream = client.analyze_image_and_wait(OneWay(photo.read_bytes()), metadata={"by": "stream"}, timeout=60)
    sizes = [step.sent_bytes for step in steps if step.phase == "upload"]
    expect("progress tells of the whole upload", bool(sizes) and sizes[-1] == photo.stat().st_size)
    expect("progress tells of the end", steps[-1].phase == "wait" and steps[-1].job.status == "completed")
    return [from_path, from_bytes, from_file, from_stream]


class OneWay(io.BytesIO):
    """Bytes that can be read once, as from a pipe."""

    def seekable(self) -> bool:
        return False


def check_results(jobs: List[Job]) -> None:
    for job in jobs:
        expect(f"{job} is completed with a result", job.status == "completed" and job.result is not None and job.error is None)
    first = jobs[0]
    result = cast(WoundResult, first.result)
    expect("the text came back as it was", first.clinical_context == "Ferse links, Tag 12: gerötet 🩹")
    expect("the subject came back", (first.subject or {}).get("woundId") == "W1")
    expect("the scale is the client's", result["scale"] == {**result["scale"], "source": "client", "mmPerPixel": 0.2})
    expect("the wound has centimetres", result["woundDetected"] is True and cast(MeasuredValue, result["wounds"][0]["area"]["cm2"])["value"] > 0)
    expect("without a scale there are none", cast(WoundResult, jobs[1].result)["wounds"][0]["area"]["cm2"] is None)


def check_reading(client: SuturaClient, jobs: List[Job]) -> None:
    ids = {job.id for job in jobs}
    expect("get_job gives the same job", client.get_job(jobs[0].id).raw == jobs[0].raw)
    page = client.list_jobs(limit=2)
    expect("a page holds what was asked for", len(page.items) == 2 and page.next_cursor is not None)
    expect("all pages hold all jobs", ids <= {job.id for job in client.iterate_jobs(limit=2)})
    found = client.list_jobs(patient_id="python-e2e", wound_id="W1", status="completed")
    expect("filters find the job", [job.id for job in found.items] == [jobs[0].id])
    usage = client.get_usage()
    expect("usage counts them", usage.used >= len(jobs) and usage.limit == usage.used + usage.remaining)


def check_idempotency(client: SuturaClient, photo: Path) -> Job:
    ticket = client.get_upload_url(content_type="image/jpeg")
    try:
        client.create_analysis_job(ticket.image_id)
        expect("a job without its photo is refused", False)
    except ConflictError as error:
        expect("the refusal says why", error.code == "image.not_uploaded" and error.request_id is not None)
    client.upload_file_to_signed_url(ticket.upload_url, photo, headers=ticket.headers, max_bytes=ticket.max_bytes)
    before = client.get_usage().used
    first = client.create_analysis_job(ticket.image_id, idempotency_key=f"e2e-{ticket.image_id}")
    again = client.create_analysis_job(ticket.image_id, idempotency_key=f"e2e-{ticket.image_id}")
    expect("the same key gives the same job and one charge", first.id == again.id and client.get_usage().used == before + 1)
    return client.wait_for_job(first.id, timeout=60)


def check_pictures_and_deletion(client: SuturaClient, job: Job) -> None:
    with tempfile.TemporaryDirectory() as folder:
        mask = client.download_artifact(job.id, "mask", Path(folder) / "mask.png")
        overlay = client.download_artifact(job.id, "overlay", Path(folder) / "overlay.jpg")
        expect("the mask is a PNG", Path(mask.path).read_bytes().startswith(b"\x89PNG") and mask.content_type == "image/png")
        expect("the overlay is there", overlay.size_bytes == Path(overlay.path).stat().st_size > 0)
    expect("the job names its image", job.image_id is not None)
    image = client.get_image(job.image_id or "")
    expect("the photo is described", (image.status, image.content_type, image.readable) == ("stored", "image/jpeg", True) and (image.size_bytes or 0) > 0)
    client.delete_image(job.image_id or "")
    try:
        client.get_image(job.image_id or "")
        expect("an erased photo is described", False)
    except GoneError as error:
        expect("an erased photo is gone", error.code == "image.unavailable")
    expect("its result stays", client.get_job(job.id).status == "completed")
    with tempfile.TemporaryDirectory() as folder:
        try:
            client.download_artifact(job.id, "overlay", Path(folder) / "overlay.jpg")
            expect("the picture of an erased photo is gone", False)
        except NotFoundError as error:
            expect("and leaves no file", error.code == "artifact.not_found" and os.listdir(folder) == [])


def check_refusals(client: SuturaClient) -> None:
    try:
        client.get_job("01997f2f-0b52-7c41-9d3e-2a6f8c1e7b90")
        expect("a job that does not exist is not found", False)
    except NotFoundError as error:
        expect("the refusal has status, code and request id", (error.status, error.code) == (404, "job.not_found") and bool(error.request_id))


def main() -> int:
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    photo = Path(sys.argv[1])
    try:
        with SuturaClient(timeout=20) as client:
            jobs = analyse(client, photo)
            check_results(jobs)
            check_reading(client, jobs)
            jobs.append(check_idempotency(client, photo))
            check_pictures_and_deletion(client, jobs[0])
            check_refusals(client)
            if sys.argv[2:] != ["--photos-alone"]:
                check_follow_up(client, photo)
    except Exception as error:
        traceback.print_exc()
        print(json.dumps({"ok": False, "failed": f"{type(error).__name__}: {error}"}))
        return 1
    print(json.dumps({"ok": True, "sdk": __version__, "python": sys.version.split()[0], "jobs": [job.id for job in jobs]}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
