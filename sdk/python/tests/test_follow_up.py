"""Wounds, timelines, reports and reviews: what no case of the contract suite can say."""

from __future__ import annotations

import datetime
import os
import pickle
import tempfile
import unittest
from functools import partial
from pathlib import Path
from typing import Any

from small_service import KEY, SmallService
from support import JPEG

from sutura_sdk import PreconditionFailedError, ReviewRequest, SuturaClient

ACCEPT: ReviewRequest = {"decision": "accept", "reviewer": {"id": "HCP-0042", "name": "private name"}}


class FollowUp(unittest.TestCase):
    def setUp(self) -> None:
        self.service = SmallService()
        self.addCleanup(self.service.close)
        self.client = SuturaClient(KEY, base_url=self.service.url)
        self.addCleanup(self.client.close)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_refuses_an_id_that_would_lead_to_another_route(self) -> None:
        client = self.client
        wounds: Any = (client.get_wound, client.get_wound_timeline, client.unmerge_wound, client.close_wound, client.reopen_wound)
        pdf: Any = {"format": "pdf"}
        documents: Any = tuple(
            partial(call, **pdf) for call in (client.download_wound_report, client.download_wound_evidence, client.download_report)
        )
        for call in (*wounds, *documents, client.get_report, client.get_report_versions):
            for wrong in ("", ".", ".."):
                with self.assertRaises(ValueError):
                    call(wrong)
        with self.assertRaises(ValueError):
            client.merge_wound("a", into="")
        self.assertEqual(self.service.requests, [])

    def test_refuses_an_address_that_leads_to_no_report(self) -> None:
        for path in ("", "/api/v1/wounds/1", "/api/v1/reports/", "/api/v1/reports/1/versions", "/api/v1/reports/%2E%2E"):
            with self.assertRaises(ValueError):
                self.client.get_report(f"https://host{path}")
        self.assertEqual(self.service.requests, [])

    def test_takes_moments_with_a_time_zone_only(self) -> None:
        moment = datetime.datetime(2026, 1, 5, 8, 0, tzinfo=datetime.timezone.utc)
        calls: Any = (self.client.get_wound_timeline, partial(self.client.download_wound_report, format="pdf"))
        for call in calls:
            for name in ("from_", "to"):
                naive: Any = {name: moment.replace(tzinfo=None)}
                with self.assertRaisesRegex(ValueError, f"^{name} must have a time zone"):
                    call("wound", **naive)
        self.assertEqual(self.service.requests, [])
        self.assertEqual(len(self.client.get_wound_timeline("wound", from_=moment, to=moment).assessments), 1)

    def test_refuses_a_format_that_there_is_not(self) -> None:
        unknown: Any = "docx"
        with self.assertRaisesRegex(ValueError, "pdf, html, text, json"):
            self.client.download_report("report", format=unknown)
        with self.assertRaises(ValueError):
            self.client.save_report("report", self.folder / "report.docx", format=unknown)
        self.assertEqual((self.service.requests, os.listdir(self.folder)), ([], []))

    def test_refuses_a_review_of_what_nobody_read(self) -> None:
        version: Any = self.client.get_report_versions("report")[0]
        asked = len(self.service.requests)
        references: Any = (version, {"id": "report"}, {"id": "report", "etag": None}, {"id": "report", "etag": ""})
        for unread in references + ({"id": "report", "etag": '"1\r\nX-Other: 1"'},):
            with self.assertRaises(ValueError):
                self.client.review_report(unread, ACCEPT)
        self.assertEqual(len(self.service.requests), asked)

    def test_refuses_a_second_decision_about_the_same_reading(self) -> None:
        report = self.client.get_report("report")
        now = self.client.review_report(report, ACCEPT)
        self.assertEqual((now.version, now.status, now.etag), (2, "final", '"2.tag"'))
        with self.assertRaises(PreconditionFailedError) as caught:
            self.client.review_report(report, ACCEPT)
        self.assertEqual((caught.exception.status, caught.exception.code), (412, "report.stale"))
        self.assertEqual(self.client.review_report({"id": now.id, "etag": now.etag}, ACCEPT).version, 3)

    def test_replaces_a_file_only_when_the_new_one_is_whole(self) -> None:
        target = self.folder / "report.pdf"
        target.write_bytes(b"old")
        saved = self.client.save_report("report", target, format="pdf")
        self.assertEqual((saved.path, saved.content_type, saved.size_bytes), (str(target), "application/pdf", 15))
        self.assertEqual((target.read_bytes(), os.listdir(self.folder)), (b"%PDF-1.7 report", ["report.pdf"]))
        with self.assertRaises(FileNotFoundError):
            self.client.save_report("report", self.folder / "none" / "report.pdf", format="pdf")

    def test_finds_the_report_by_the_link_of_its_job(self) -> None:
        job = self.client.analyze_image_and_wait(JPEG)
        self.assertEqual(self.client.get_report(job.links["report"]).id, self.service.follow_up.report_id)

    def test_shows_nothing_of_a_patient(self) -> None:
        self.service.follow_up.wound = {**self.service.follow_up.wound, "patient": {"id": "private", "system": None}, "woundId": "private"}
        wound = self.client.get_wound("wound")
        timeline = self.client.get_wound_timeline("wound")
        report = self.client.review_report(self.client.get_report("report"), ACCEPT)
        self.assertEqual(wound.patient, {"id": "private", "system": None})
        for shown in (repr(wound), repr(self.client.list_wounds()), repr(timeline), repr(report)):
            for hidden in ("private", "MRN-4711", "W1", "Lower leg", "1.27", report.etag):
                self.assertNotIn(hidden, shown)
        self.assertIn(wound.id, repr(wound))
        self.assertIn(f"version={report.version}", repr(report))

    def test_answers_are_values(self) -> None:
        for read in (self.client.get_wound, self.client.get_wound_timeline, self.client.get_report):
            first: Any = read("one")
            self.assertEqual(len({first, read("one")}), 1)
            self.assertEqual(pickle.loads(pickle.dumps(first)), first)


if __name__ == "__main__":
    unittest.main()
