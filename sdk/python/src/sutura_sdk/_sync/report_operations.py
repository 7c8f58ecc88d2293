# Made of _async/report_operations.py by generate_sync.py: change that one.
"""The operations on clinical reports."""

from __future__ import annotations

import os
import uuid
from datetime import datetime
from typing import Any, Literal, Mapping, Optional, Sequence, Tuple, Union
from urllib.parse import unquote, urlsplit

from .._addresses import Address
from .._calls import Answer
from .._report_answers import to_report, to_report_page, to_report_versions, to_review_link
from ..models import Artifact
from ..reports import DocumentFormat, FiledReport, Language, Paper, Report, ReportPage, ReportReference, ReportVersion
from ..reports import ReviewLink, ReviewRequest
from .downloads import download, download_bytes
from .operations import Operations, checked_id, moment_text, read_answer, without_none
from .pages import Pages

_MEDIA_TYPES: Mapping[str, str] = {"pdf": "application/pdf", "html": "text/html", "text": "text/plain", "json": "application/json"}


class ReportOperations(Operations):
    """Reading, saving and reviewing reports; the course report of a wound."""

    def list_reports(
        self, *, metadata: Mapping[str, str], limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> ReportPage:
        """One page of the reports whose job has these pairs of your own, 1 to 4, without their content. Scope ``analysis:read``.

        Those of the newest job first, withdrawn ones too; up to 100. A page may have few reports, or none, before the last.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        page = client.list_reports(metadata={"case": "4711"}, limit=10)
        print([(report.id, report.status) for report in page.items], page.next_cursor)
        ```
        """
        pairs = {f"metadata.{key}": value for key, value in metadata.items()}
        query = {**without_none(limit=limit, cursor=cursor), **pairs}
        return self._get(self._address("api", "v1", "reports", query=query), to_report_page)

    def iterate_reports(
        self, *, metadata: Mapping[str, str], limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> Pages[ReportPage, FiledReport]:
        """Every report of all pages; ``limit`` is the size of a page. Pages are read as they are needed.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for report in client.iterate_reports(metadata={"case": "4711"}):
            if report.replaced_by is None:
                print(report.id)
        ```
        """
        return Pages(lambda at: self.list_reports(metadata=metadata, limit=limit, cursor=at), cursor)

    def get_report(self, report_id: str) -> Report:
        """The present version of a report, with the ``etag`` that a review of it needs. Scope ``analysis:read``.

        ``report_id`` is an id, as a timeline names it, or the address in a completed job's ``links["report"]``; always read
        from the service that this client was made for. ``NotFoundError`` ``report.not_found``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        job = client.analyze_image_and_wait("photo.jpg", subject={"patientId": "MRN-4711", "woundId": "W1"})
        report = client.get_report(job.links["report"])
        print(report.status, report.comparison["trend"], [flag["code"] for flag in report.flags])
        ```
        """
        return _read(self._send_get(self._report_address(report_id)))

    def get_report_versions(self, report_id: str) -> Tuple[ReportVersion, ...]:
        """Every version of a report, oldest first; each is kept for ever. Scope ``analysis:read``.

        Only the present version can be reviewed, as ``get_report`` gives it. ``NotFoundError`` ``report.not_found``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        job = client.analyze_image_and_wait("photo.jpg")
        for report in client.get_report_versions(job.links["report"]):
            print(report.version, report.status, report.reason, report.issued_at)
        ```
        """
        return self._get(self._report_address(report_id, "versions"), to_report_versions)

    def download_report(
        self,
        report_id: str,
        *,
        version: Optional[int] = None,
        format: DocumentFormat,
        language: Optional[Language] = None,
        paper: Optional[Paper] = None,
    ) -> bytes:
        """A report as a document, with the same figures in each format. Scope ``analysis:read``.

        ``version``: else the present one. ``language``: else English; ``json`` has none. ``paper``: else the service's usual one. ``report_id`` as in ``get_report``.
        ``NotFoundError`` ``report.not_found``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        job = client.analyze_image_and_wait("photo.jpg")
        print(client.download_report(job.links["report"], format="text", language="de").decode("utf-8"))
        ```
        """
        address = self._document_address(report_id, version, language, paper)
        return download_bytes(self._transport, address, _media_type(format))

    def save_report(
        self,
        report_id: str,
        path: Union[str, "os.PathLike[str]"],
        *,
        version: Optional[int] = None,
        format: DocumentFormat,
        language: Optional[Language] = None,
        paper: Optional[Paper] = None,
    ) -> Artifact:
        """Saves a report as a document, otherwise as ``download_report``. The file appears whole or not at all.

        One of that name is replaced.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        job = client.analyze_image_and_wait("photo.jpg")
        saved = client.save_report(job.links["report"], "report.pdf", format="pdf", language="es")
        print(saved.path, saved.content_type, saved.size_bytes)
        ```
        """
        address = self._document_address(report_id, version, language, paper)
        return download(self._transport, address, path, _media_type(format))

    def download_wound_report(
        self,
        wound_id: str,
        *,
        from_: Union[str, datetime, None] = None,
        to: Union[str, datetime, None] = None,
        format: DocumentFormat,
        language: Optional[Language] = None,
        paper: Optional[Paper] = None,
    ) -> bytes:
        """The course report: all assessments of a wound, of photos taken between ``from_`` and ``to``, in one document.

        Scope ``analysis:read``. ``NotFoundError`` ``wound.not_found``, or ``report.not_found`` where there was no photo.

        ```python
        from pathlib import Path
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for wound in client.list_wounds(patient_id="MRN-4711", wound_id="W1").items:
            course = client.download_wound_report(wound.id, from_="2026-01-01T00:00:00Z", format="pdf", language="fr")
            Path("course.pdf").write_bytes(course)
        ```
        """
        period = without_none(**{"from": moment_text(from_, "from_"), "to": moment_text(to, "to")})
        address = self._address(
            "api", "v1", "wounds", checked_id(wound_id, "wound_id"), "report", query={**period, **_in(language, paper)}
        )
        return download_bytes(self._transport, address, _media_type(format))

    def download_wound_evidence(
        self,
        wound_id: str,
        *,
        from_: Union[str, datetime, None] = None,
        to: Union[str, datetime, None] = None,
        format: DocumentFormat,
        language: Optional[Language] = None,
        paper: Optional[Paper] = None,
    ) -> bytes:
        """Area, depth, tissue, change, photos and treatment over some weeks, with what is missing; without a period the last four weeks.

        Scope ``analysis:read``. ``NotFoundError`` ``wound.not_found``, or ``report.not_found`` where the wound never had a photo;
        ``BadRequestError`` for a period of more than 366 days.

        ```python
        from pathlib import Path
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        for wound in client.list_wounds(patient_id="MRN-4711", wound_id="W1").items:
            Path("evidence.pdf").write_bytes(client.download_wound_evidence(wound.id, format="pdf", language="de"))
        ```
        """
        period = without_none(**{"from": moment_text(from_, "from_"), "to": moment_text(to, "to")})
        address = self._address(
            "api", "v1", "wounds", checked_id(wound_id, "wound_id"), "evidence", query={**period, **_in(language, paper)}
        )
        return download_bytes(self._transport, address, _media_type(format))

    def review_report(
        self, report: Union[Report, ReportReference], review: ReviewRequest, *, idempotency_key: Optional[str] = None
    ) -> Report:
        """Takes a person's decision about a report as it was read, and gives the one that now stands, with its ``etag``.

        Scope ``analysis:review``; costs nothing. After ``reassign`` that is the new report. ``report`` is what ``get_report``
        gave, or its ``id`` and ``etag``. Every attempt carries the same Idempotency-Key, so a repeat after a lost answer
        gets the first answer. ``PreconditionFailedError`` ``report.stale``: read the report again before you decide.
        ``ConflictError`` ``report.entered_in_error``; ``BadRequestError`` with the refused fields.

        ```python
        from sutura_sdk import PreconditionFailedError, SuturaClient

        client = SuturaClient()
        job = client.analyze_image_and_wait("photo.jpg")
        report = client.get_report(job.links["report"])
        try:
            report = client.review_report(report, {"decision": "accept", "reviewer": {"id": "HCP-0042", "name": "Example Reviewer"}})
            print(report.status, report.version)
        except PreconditionFailedError:
            print("Changed meanwhile: look at it again.")
        ```
        """
        report_id, etag = _reference(report)
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        return _read(self._send_post(self._report_address(report_id, "reviews"), without_none(**review), key, [("If-Match", etag)]))

    def create_review_link(
        self,
        report_id: str,
        *,
        mode: Literal["read", "review"],
        of: Literal["report", "wound", "list"],
        reports: Optional[Sequence[str]] = None,
        minutes: Optional[int] = None,
        frame_origin: Optional[str] = None,
        language: Optional[Language] = None,
        person: Optional[Mapping[str, str]] = None,
    ) -> ReviewLink:
        """A link to the review desk, on which a person looks at the report, at all reports of its wound, or at a list, and decides.

        Scope ``analysis:read``; with ``mode="review"`` ``analysis:review``, too. It opens once, and ends with the desk after
        ``minutes`` (10 where none is given). ``frame_origin``: of your page that shows the desk in a frame.
        ``reports``: with ``of="list"`` up to 49 further ids, in the order in which they are gone through.
        ``person``: ``id``, ``name`` and perhaps ``system`` of who decides there and signs as that, by a key that may name persons.
        ``UnprocessableError`` ``review.frame`` for an origin that the organization did not allow.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        job = client.analyze_image_and_wait("photo.jpg")
        link = client.create_review_link(job.links["report"], mode="read", of="report", minutes=5)
        print(link.id, link.expires_at)
        ```
        """
        wish = without_none(mode=mode, of=of, reports=reports, minutes=minutes, frameOrigin=frame_origin, language=language, person=person)
        # Each attempt makes a link of its own: one whose answer was lost opens for nobody, and ends.
        return read_answer(self._send_post(self._report_address(report_id, "review-links"), wish), to_review_link)

    def _document_address(
        self, report_id: str, version: Optional[int], language: Optional[Language], paper: Optional[Paper]
    ) -> Address:
        segments = () if version is None else ("versions", str(version))
        return self._report_address(report_id, *segments, query=_in(language, paper))

    def _report_address(self, report_id: str, *segments: str, query: Optional[Mapping[str, Any]] = None) -> Address:
        return self._address("api", "v1", "reports", _id_of(checked_id(report_id, "report_id")), *segments, query=query)


def _id_of(report: str) -> str:
    """The id, where it is the address that a job or an assessment links to."""
    if not report.startswith(("http://", "https://")):
        return report
    _, found, last = urlsplit(report).path.rpartition("/api/v1/reports/")
    if not found or "/" in last:
        raise ValueError("report_id must be an id, or the address in links of a job.")
    return checked_id(unquote(last), "report_id")


def _reference(report: Union[Report, ReportReference]) -> Tuple[str, str]:
    report_id: str = report.id if isinstance(report, ReportVersion) else report["id"]
    etag = getattr(report, "etag", None) if isinstance(report, ReportVersion) else report.get("etag")
    if not isinstance(etag, str) or not etag:
        raise ValueError("report must have the etag that get_report gave: a review is about what was read.")
    if not (etag.isascii() and etag.isprintable()):
        raise ValueError("The etag of the report has characters that no tag has.")
    # A proxy that compresses makes a tag weak, and If-Match holds strong ones only (RFC 9110 13.1.1).
    return report_id, etag[2:] if etag.startswith("W/") else etag


def _read(answer: Answer) -> Report:
    return read_answer(answer, lambda value: to_report(value, answer.headers.get("ETag")))


def _in(language: Optional[Language], paper: Optional[Paper]) -> Mapping[str, Any]:
    return without_none(lang=language, paper=paper)


def _media_type(format: str) -> str:
    if format not in _MEDIA_TYPES:
        raise ValueError(f"format must be one of {', '.join(_MEDIA_TYPES)}.")
    return _MEDIA_TYPES[format]
