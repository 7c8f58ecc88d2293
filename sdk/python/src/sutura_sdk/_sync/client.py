# Made of _async/client.py by generate_sync.py: change that one.
"""The client."""

from __future__ import annotations

import logging
import os
import ssl
from datetime import datetime
from types import TracebackType
from typing import Literal, Mapping, Optional, Type, Union, overload

from .._addresses import parse_base_url
from .._calls import Credential, SupportsDebug
from .._photo import ImageFile
from .._retries import RetryPolicy
from ..errors import ConfigurationError
from ..models import AnyJob, Calibration, ClinicianObservations, CompletedJob, EndedJob, OnProgress, Subject
from .event_operations import EventOperations
from .image_operations import ImageOperations
from .job_operations import DEFAULT_WAIT_S, JobOperations
from .relation_operations import RelationOperations
from .report_operations import ReportOperations
from .sample_operations import SampleOperations
from .sandbox_operations import SandboxOperations
from .setup_operations import SetupOperations
from .transport import Transport
from .webhook_operations import WebhookOperations
from .wound_operations import WoundOperations

_DEFAULT_BASE_URL = "http://127.0.0.1:3000"


class SuturaClient(
    ImageOperations,
    JobOperations,
    WoundOperations,
    RelationOperations,
    ReportOperations,
    EventOperations,
    SampleOperations,
    SandboxOperations,
    WebhookOperations,
    SetupOperations,
):
    """Wound assessment by a Sutura service. One client serves any number of threads and keeps its connections.

    ``api_key``: else ``SUTURA_API_KEY``. ``base_url``: else ``SUTURA_BASE_URL``, else this machine at port 3000; a path
    prefix is kept. ``timeout``: seconds for one request; of an upload or download, without progress. ``max_retries``: how often
    a request is repeated after a network error, 408, 429, 502, 503 or 504. ``max_retry_after``: longer pauses than so
    many seconds are not waited for. ``logger``: gets one debug line per attempt, without key, signature or body.
    ``ssl_context``: for https with an authority or a client certificate of your own.

    ```python
    from sutura_sdk import SuturaClient

    with SuturaClient(timeout=20, max_retries=5) as client:
        job = client.analyze_image_and_wait("photo.jpg", clinical_context="Heel, left, day 12")
        print(job.result["wounds"][:1], job.result.get("attention"))
    ```
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        *,
        base_url: Optional[str] = None,
        timeout: float = 60.0,
        max_retries: int = 3,
        max_retry_after: float = 60.0,
        logger: Optional[SupportsDebug] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        if not 0 < timeout < float("inf"):
            raise ConfigurationError("timeout must be more than 0 seconds.")
        if max_retries < 0 or not max_retry_after >= 0:
            raise ConfigurationError("max_retries and max_retry_after must not be negative.")
        self._transport = Transport(
            base=parse_base_url(base_url or os.environ.get("SUTURA_BASE_URL") or _DEFAULT_BASE_URL),
            credential=_credential_of(api_key or os.environ.get("SUTURA_API_KEY")),
            timeout=float(timeout),
            policy=RetryPolicy(int(max_retries), float(max_retry_after)),
            logger=logging.getLogger("sutura_sdk") if logger is None else logger,
            ssl_context=ssl_context,
        )

    def analyze_image(
        self,
        file: ImageFile,
        *,
        clinical_context: Optional[str] = None,
        subject: Optional[Subject] = None,
        captured_at: Union[str, datetime, None] = None,
        calibration: Optional[Calibration] = None,
        clinician_observations: Optional[ClinicianObservations] = None,
        priority: Optional[Literal["routine", "stat"]] = None,
        metadata: Optional[Mapping[str, str]] = None,
        idempotency_key: Optional[str] = None,
        on_progress: Optional[OnProgress] = None,
    ) -> AnyJob:
        """Uploads a photo and creates its job; does not wait. Scopes ``images:write`` and ``analysis:write``.

        ``file`` is a path, bytes or a binary file object; otherwise as ``create_analysis_job`` and ``upload_file_to_signed_url``.
        Your own ``idempotency_key`` covers upload and job: a second call with the same photo and options, after a crash too,
        answers the first job and is not charged. Another photo under it is an ``UnprocessableError`` ``idempotency.mismatch``.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        with open("photo.jpg", "rb") as photo:
            job = client.analyze_image(photo, priority="stat", metadata={"ward": "7B"})
        print(job.id, job.status)
        ```
        """
        return self.create_analysis_job(
            self._upload(file, on_progress),
            clinical_context=clinical_context,
            subject=subject,
            captured_at=captured_at,
            calibration=calibration,
            clinician_observations=clinician_observations,
            priority=priority,
            metadata=metadata,
            idempotency_key=idempotency_key,
        )

    @overload
    def analyze_image_and_wait(
        self,
        file: ImageFile,
        *,
        clinical_context: Optional[str] = ...,
        subject: Optional[Subject] = ...,
        captured_at: Union[str, datetime, None] = ...,
        calibration: Optional[Calibration] = ...,
        clinician_observations: Optional[ClinicianObservations] = ...,
        priority: Optional[Literal["routine", "stat"]] = ...,
        metadata: Optional[Mapping[str, str]] = ...,
        idempotency_key: Optional[str] = ...,
        timeout: float = ...,
        interval: Optional[float] = ...,
        long_poll: bool = ...,
        raise_on_error: Literal[True] = ...,
        on_progress: Optional[OnProgress] = ...,
    ) -> CompletedJob: ...

    @overload
    def analyze_image_and_wait(
        self,
        file: ImageFile,
        *,
        clinical_context: Optional[str] = ...,
        subject: Optional[Subject] = ...,
        captured_at: Union[str, datetime, None] = ...,
        calibration: Optional[Calibration] = ...,
        clinician_observations: Optional[ClinicianObservations] = ...,
        priority: Optional[Literal["routine", "stat"]] = ...,
        metadata: Optional[Mapping[str, str]] = ...,
        idempotency_key: Optional[str] = ...,
        timeout: float = ...,
        interval: Optional[float] = ...,
        long_poll: bool = ...,
        raise_on_error: bool,
        on_progress: Optional[OnProgress] = ...,
    ) -> EndedJob: ...

    def analyze_image_and_wait(
        self,
        file: ImageFile,
        *,
        clinical_context: Optional[str] = None,
        subject: Optional[Subject] = None,
        captured_at: Union[str, datetime, None] = None,
        calibration: Optional[Calibration] = None,
        clinician_observations: Optional[ClinicianObservations] = None,
        priority: Optional[Literal["routine", "stat"]] = None,
        metadata: Optional[Mapping[str, str]] = None,
        idempotency_key: Optional[str] = None,
        timeout: float = DEFAULT_WAIT_S,
        interval: Optional[float] = None,
        long_poll: bool = True,
        raise_on_error: bool = True,
        on_progress: Optional[OnProgress] = None,
    ) -> EndedJob:
        """The whole flow: ``analyze_image``, then ``wait_for_job``. Returns the finished job with its ``result``.

        ``timeout`` is for the wait, from the creation of the job on.

        ```python
        from sutura_sdk import SuturaClient

        client = SuturaClient()
        job = client.analyze_image_and_wait("photo.jpg", calibration={"mmPerPixel": 0.21}, timeout=120)
        for wound in job.result["wounds"]:
            print(wound["area"], wound["length"], wound["width"])
        ```
        """
        job = self.analyze_image(
            file,
            clinical_context=clinical_context,
            subject=subject,
            captured_at=captured_at,
            calibration=calibration,
            clinician_observations=clinician_observations,
            priority=priority,
            metadata=metadata,
            idempotency_key=idempotency_key,
            on_progress=on_progress,
        )
        return self.wait_for_job(
            job.id, timeout=timeout, interval=interval, long_poll=long_poll, raise_on_error=raise_on_error, on_progress=on_progress
        )

    def close(self) -> None:
        """Closes the kept connections. Every later call raises ``RuntimeError``."""
        self._transport.close()

    def __enter__(self) -> SuturaClient:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"SuturaClient(base_url={str(self._transport.base)!r})"


def _credential_of(api_key: Optional[str]) -> Credential:
    key = (api_key or "").strip()
    if not key:
        raise ConfigurationError("No API key: give api_key, or set SUTURA_API_KEY.")
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ConfigurationError("The API key has characters that no key has. Copy it again.")
    return Credential(key)
