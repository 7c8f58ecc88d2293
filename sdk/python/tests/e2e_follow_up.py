"""Wounds, timelines, reports and reviews against a real service; a part of e2e_flow.py."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Dict, List, Optional, Tuple

import support

from sutura_sdk import ConflictError, DocumentFormat, Job, PreconditionFailedError, Report, Reviewer, Subject, SuturaClient

REVIEWER: Reviewer = {"id": "python-e2e", "name": "Example Reviewer"}
PATIENT = "python-e2e-series"
STARTS: Tuple[Tuple[DocumentFormat, bytes], ...] = (("pdf", b"%PDF-"), ("html", b"<!"), ("text", b""), ("json", b"{"))


def expect(what: str, holds: bool) -> None:
    if not holds:
        raise AssertionError(what)


def check_follow_up(client: SuturaClient, photo: Path) -> None:
    today = datetime.now(timezone.utc).replace(microsecond=0)
    jobs = [analyse(client, photo, today - timedelta(days=7 - 7 * week), "W1") for week in (0, 1)]
    report = check_report(client, jobs)
    report = check_reviews(client, report)
    wound_id = report.subject["woundRef"]
    check_timeline(client, wound_id, jobs, today)
    check_documents(client, report, wound_id)
    check_example()
    check_wounds(client, wound_id, analyse(client, photo, today - timedelta(days=2), None))


def analyse(client: SuturaClient, photo: Path, captured_at: datetime, wound_id: Optional[str]) -> Job:
    subject: Subject = {"patientId": PATIENT}
    if wound_id is not None:
        subject["woundId"] = wound_id
    return client.analyze_image_and_wait(photo, subject=subject, captured_at=captured_at, calibration={"mmPerPixel": 0.2}, timeout=60)


def check_report(client: SuturaClient, jobs: List[Job]) -> Report:
    report = client.get_report(jobs[1].links["report"])
    figures = report.findings["figures"]
    expect("the report is of the second photo", (report.job_id, report.version, report.sequence) == (jobs[1].id, 1, 2))
    expect("nobody has looked at it", report.status == "preliminary" and report.review is None)
    expect("it has the measures", figures is not None and figures["area"]["cm2"] is not None)
    previous = report.comparison["previous"]
    expect("it is compared with the first photo", previous is not None and previous["jobId"] == jobs[0].id)
    change = report.comparison["sincePrevious"]
    expect("the same photo did not change", change is not None and change["days"] == 7 and not change["beyondDetectable"])
    return report


def check_reviews(client: SuturaClient, report: Report) -> Report:
    accepted = client.review_report(report, {"decision": "accept", "reviewer": REVIEWER, "note": "Geprüft 🩹"}, idempotency_key=f"e2e-{report.id}")
    again = client.review_report(report, {"decision": "accept", "reviewer": REVIEWER, "note": "Geprüft 🩹"}, idempotency_key=f"e2e-{report.id}")
    expect("the first acceptance makes it final", (accepted.status, accepted.version) == ("final", 2))
    expect("a repeat under the same key is no second decision", (again.version, again.etag) == (2, accepted.etag))
    try:
        client.review_report(report, {"decision": "reject", "reviewer": REVIEWER})
        expect("a decision about an old version is refused", False)
    except PreconditionFailedError as error:
        expect("the refusal says why", (error.status, error.code) == (412, "report.stale"))
    corrected = client.review_report(
        {"id": accepted.id, "etag": accepted.etag},
        {"decision": "correct", "reviewer": REVIEWER, "tissue": {"granulation": 0.5, "slough": 0.5, "necrosis": 0, "other": 0}},
    )
    expect("a correction after that is one", (corrected.status, corrected.version) == ("corrected", 3))
    expect("it confirms what it states", "necrosis" in corrected.findings["confirmedTissues"])
    versions = client.get_report_versions(report.id)
    expect("every version is kept", [one.status for one in versions] == ["preliminary", "final", "corrected"])
    return corrected


def check_timeline(client: SuturaClient, wound_id: str, jobs: List[Job], today: datetime) -> None:
    timeline = client.get_wound_timeline(wound_id)
    expect("the timeline is oldest first", [one.job_id for one in timeline.assessments] == [job.id for job in jobs])
    expect("it has areas and what they are compared with", all(one.area_cm2 for one in timeline.assessments))
    expect("only the second has a change", [one.since_previous is None for one in timeline.assessments] == [True, False])
    late = client.get_wound_timeline(wound_id, from_=today - timedelta(days=1), to=today)
    expect("a period takes its photos", [one.sequence for one in late.assessments] == [2])


def check_documents(client: SuturaClient, report: Report, wound_id: str) -> None:
    for format, start in STARTS:
        of_wound = (client.download_wound_report(wound_id, format=format), client.download_wound_evidence(wound_id, format=format))
        for document in (client.download_report(report.id, format=format), *of_wound):
            expect(f"{format} is what it says", len(document) > 100 and document.startswith(start))
    first = client.download_report(report.id, version=1, format="text", language="de")
    expect("an earlier version reads otherwise", first != client.download_report(report.id, format="text", language="de"))
    expect("a language changes the words", first != client.download_report(report.id, version=1, format="text", language="fr"))
    with tempfile.TemporaryDirectory() as folder:
        saved = client.save_report(report.id, Path(folder) / "report.pdf", format="pdf", language="es")
        content = Path(saved.path).read_bytes()
        expect("a saved report is whole", content.startswith(b"%PDF-") and len(content) == saved.size_bytes)


def check_example() -> None:
    program = support.PACKAGE / "example" / "follow_up.py"
    environment = {**os.environ, "PYTHONPATH": str(support.PACKAGE / "src")}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([sys.executable, str(program), PATIENT, "W1"], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
        expect("the example prints both weeks", done.returncode == 0 and len(done.stdout.splitlines()) == 3)
        expect("and saves the course report", Path(folder, "course.pdf").read_bytes().startswith(b"%PDF-"))


def check_wounds(client: SuturaClient, wound_id: str, unlinked: Job) -> None:
    other = client.get_report(unlinked.links["report"]).subject["woundRef"]
    found: Dict[str, bool] = {wound.id: wound.linked for wound in client.iterate_wounds(patient_id=PATIENT, limit=1)}
    expect("all pages hold both wounds", found == {wound_id: True, other: False})
    expect("filters find one", [wound.id for wound in client.list_wounds(patient_id=PATIENT, linked=False).items] == [other])
    expect("a person may find it to be the other", wound_id in [wound.id for wound in client.get_wound(other).candidates])
    expect("a merged wound says so", client.merge_wound(other, into=wound_id, reviewer=REVIEWER).merged_into == wound_id)
    expect("a repeated merge changes nothing", len(client.merge_wound(other, into=wound_id).events) == 1)
    try:
        client.merge_wound(wound_id, into=other)
        expect("a merge into its own part is refused", False)
    except ConflictError as error:
        expect("the refusal has its code", error.code == "wound.merge_refused")
    expect("its photos are one series", len(client.get_wound_timeline(other).assessments) == 3)
    expect("a merge can be undone", client.unmerge_wound(other, note="Two after all.").merged_into is None)
    closed = client.close_wound(wound_id, reviewer=REVIEWER, note="Epithelialised.")
    expect("a person closes a wound", closed.status == "closed" and closed.closed_at is not None)
    reopened = client.reopen_wound(wound_id)
    expect("and opens it again", reopened.status == "open" and [event.decision for event in reopened.events][-2:] == ["closed", "reopened"])
