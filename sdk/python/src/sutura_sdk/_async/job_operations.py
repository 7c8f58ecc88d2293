"""The operations on jobs, their pictures and the quota."""

from __future__ import annotations

import os
import uuid
from datetime import datetime
from typing import Literal, Mapping, Optional, Union, overload

from .._answers import to_job, to_job_page, to_usage
from ..errors import ConfigurationError
from ..models import (
    AnyJob,
    Artifact,
    Calibration,
    ClinicianObservations,
    CompletedJob,
    EndedJob,
    JobPage,
    OnProgress,
    Subject,
    Usage,
)
from .downloads import download
from .operations import Operations, checked_id, moment_text, without_none
from .pages import AsyncPages
from .waiting import JobWait, WaitOptions

_JOBS = ("api", "v1", "analysis", "jobs")
DEFAULT_WAIT_S = 300.0


class JobOperations(Operations):
    """Creating, reading, waiting, listing; pictures; the quota."""

    async def create_analysis_job(
        self,
        image_id: str,
        *,
        clinical_context: Optional[str] = None,
        subject: Optional[Subject] = None,
        captured_at: Union[str, datetime, None] = None,
        calibration: Optional[Calibration] = None,
        clinician_observations: Optional[ClinicianObservations] = None,
        priority: Optional[Literal["routine", "stat"]] = None,
        metadata: Optional[Mapping[str, str]] = None,
        idempotency_key: Optional[str] = None,
    ) -> AnyJob:
        """Creates a job on an uploaded image; costs one analysis of the day. Fields as in the contract.

        Scope ``analysis:write``. Every attempt carries the same Idempotency-Key, so a retry never charges twice; give
        your own to make the call harmless to repeat after a crash as well. ``QuotaExceededError``, ``ConflictError``
        ``image.not_uploaded``, ``UnprocessableError`` ``image.unreadable``, ``BadRequestError`` with the refused fields.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        ticket = await client.get_upload_url()
        await client.upload_file_to_signed_url(ticket, "photo.jpg")
        job = await client.create_analysis_job(
            ticket.image_id,
            clinical_context="Heel, left, day 12",
            subject={"patientId": "MRN-4711", "woundId": "W1", "laterality": "left"},
            calibration={"mmPerPixel": 0.21},
            idempotency_key=f"visit-4711-{ticket.image_id}",
        )
        print(job.id, job.status)
        ```
        """
        body = without_none(
            imageId=checked_id(image_id, "image_id"),
            clinicalContext=clinical_context,
            subject=subject,
            capturedAt=moment_text(captured_at, "captured_at"),
            calibration=calibration,
            clinicianObservations=clinician_observations,
            priority=priority,
            metadata=None if metadata is None else dict(metadata),
        )
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        return await self._post(self._address(*_JOBS), body, to_job, key)

    async def get_job(self, job_id: str) -> AnyJob:
        """Reads a job as it stands. Scope ``analysis:read``; costs nothing. ``NotFoundError`` ``job.not_found``.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        job = await client.analyze_image("photo.jpg")
        print((await client.get_job(job.id)).status)
        ```
        """
        return await self._get(self._address(*_JOBS, checked_id(job_id, "job_id")), to_job)

    @overload
    async def wait_for_job(
        self,
        job_id: str,
        *,
        timeout: float = ...,
        interval: Optional[float] = ...,
        long_poll: bool = ...,
        raise_on_error: Literal[True] = ...,
        on_progress: Optional[OnProgress] = ...,
    ) -> CompletedJob: ...

    @overload
    async def wait_for_job(
        self,
        job_id: str,
        *,
        timeout: float = ...,
        interval: Optional[float] = ...,
        long_poll: bool = ...,
        raise_on_error: bool,
        on_progress: Optional[OnProgress] = ...,
    ) -> EndedJob: ...

    async def wait_for_job(
        self,
        job_id: str,
        *,
        timeout: float = DEFAULT_WAIT_S,
        interval: Optional[float] = None,
        long_poll: bool = True,
        raise_on_error: bool = True,
        on_progress: Optional[OnProgress] = None,
    ) -> EndedJob:
        """Waits until a job is ``completed`` or in ``error``, at most ``timeout`` seconds. Scope ``analysis:read``.

        The service holds each answer back until the job ends (``long_poll``); where it does not, ``interval`` seconds
        pass between reads, else as many as the service asks for, else one to five. ``WaitTimeoutError`` carries the job
        as last read. A job in error raises ``JobFailedError``, or is returned with ``raise_on_error=False``.

        ```python
        from sutura_sdk import AsyncSuturaClient, WaitTimeoutError

        client = AsyncSuturaClient()
        job = await client.analyze_image("photo.jpg")
        try:
            job = await client.wait_for_job(job.id, timeout=60)
        except WaitTimeoutError as error:
            print("still", error.job.status if error.job else "not seen")
        ```
        """
        if not timeout >= 0 or (interval is not None and not interval >= 0):
            raise ConfigurationError("timeout and interval must be seconds, not negative.")
        options = WaitOptions(timeout, interval, long_poll, raise_on_error, on_progress)
        return await JobWait(self._transport, self._address(*_JOBS, checked_id(job_id, "job_id")), job_id, options).run()

    async def list_jobs(
        self,
        *,
        status: Optional[str] = None,
        patient_id: Optional[str] = None,
        wound_id: Optional[str] = None,
        created_after: Union[str, datetime, None] = None,
        metadata: Optional[Mapping[str, str]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> JobPage:
        """One page of jobs, newest first, up to 100; ``metadata``: only those with all of these pairs of your own, at most 4.
        Scope ``analysis:read``.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        page = await client.list_jobs(status="completed", limit=10)
        print(len(page.items), page.next_cursor)
        ```
        """
        query = without_none(
            status=status,
            patientId=patient_id,
            woundId=wound_id,
            createdAfter=moment_text(created_after, "created_after"),
            limit=limit,
            cursor=cursor,
        )
        pairs = {f"metadata.{key}": value for key, value in (metadata or {}).items()}
        return await self._get(self._address(*_JOBS, query={**query, **pairs}), to_job_page)

    def iterate_jobs(
        self,
        *,
        status: Optional[str] = None,
        patient_id: Optional[str] = None,
        wound_id: Optional[str] = None,
        created_after: Union[str, datetime, None] = None,
        metadata: Optional[Mapping[str, str]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> AsyncPages[JobPage, AnyJob]:
        """Every job of all pages, newest first; ``limit`` is the size of a page. Pages are read as they are needed.

        ```python
        from datetime import datetime, timedelta, timezone
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        yesterday = datetime.now(timezone.utc) - timedelta(days=1)
        async for job in client.iterate_jobs(created_after=yesterday):
            print(job.id, job.status)
        ```
        """
        return AsyncPages(
            lambda at: self.list_jobs(
                status=status,
                patient_id=patient_id,
                wound_id=wound_id,
                created_after=created_after,
                metadata=metadata,
                limit=limit,
                cursor=at,
            ),
            cursor,
        )

    async def get_usage(self) -> Usage:
        """The analyses of the organization today. Scope ``analysis:read``.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        usage = await client.get_usage()
        print(f"{usage.remaining} of {usage.limit} left until {usage.resets_at}")
        ```
        """
        return await self._get(self._address("api", "v1", "usage"), to_usage)

    async def download_artifact(
        self, job_id: str, artifact: Literal["mask", "overlay", "tissue"], path: Union[str, "os.PathLike[str]"]
    ) -> Artifact:
        """Saves a picture of a completed job: the ``mask`` (PNG), the photo with its outlines (``overlay``)
        or the ``tissue`` map (PNG), where tissue was told apart.

        Scope ``analysis:read``. The file appears whole or not at all; one of that name is replaced.
        ``NotFoundError`` ``artifact.not_found`` before the job is completed and after the image was deleted.

        ```python
        from sutura_sdk import AsyncSuturaClient

        client = AsyncSuturaClient()
        job = await client.analyze_image_and_wait("photo.jpg")
        saved = await client.download_artifact(job.id, "overlay", "photo.overlay.jpg")
        print(saved.path, saved.content_type, saved.size_bytes)
        ```
        """
        address = self._address(*_JOBS, checked_id(job_id, "job_id"), "artifacts", checked_id(artifact, "artifact"))
        return await download(self._transport, address, path)
