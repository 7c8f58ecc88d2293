"""What goes to the service and what it answers.

Answers are frozen dataclasses. ``raw`` holds the whole answer, with the fields that this version does not know. What could
identify a patient or open an upload is left out of every ``repr``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Generic, Literal, Mapping, Optional, Sequence, Tuple, TypedDict, TypeVar, Union

from .results import WoundResult

JsonObject = Dict[str, Any]
ItemT = TypeVar("ItemT")


class CodedConcept(TypedDict, total=False):
    """A code from a terminology, in the fields of the contract."""

    system: str
    code: str
    display: str


class _PhotoPoint(TypedDict):
    x: float
    y: float


class PhotoRegion(_PhotoPoint, total=False):
    """A point of the photo, or with width and height a box from its upper left corner, in pixels of the photo upright."""

    width: float
    height: float


class Subject(TypedDict, total=False):
    """Which wound of whom, in your own terms and the fields of the contract."""

    patientId: str
    patientSystem: str
    woundId: str
    woundIdSystem: str
    bodySite: CodedConcept
    laterality: Literal["left", "right", "midline"]
    woundType: CodedConcept
    region: PhotoRegion


class Calibration(TypedDict):
    """The scale of the photo as uploaded, after its EXIF orientation. Without it there are no centimetres."""

    mmPerPixel: float


class _UnderminingAt(TypedDict):
    fromClock: int
    depthCm: float


class Undermining(_UnderminingAt, total=False):
    """An undermined stretch of the edge, clockwise from one hour (1 to 12) to the other: 11 to 2 runs over 12.

    Without ``toClock`` it is at one hour.
    """

    toClock: int


class Tunnel(TypedDict):
    """A tunnel that leads from the wound in the direction of one hour, 1 to 12."""

    clock: int
    depthCm: float


InfectionSign = Literal[
    "warmth",
    "erythema",
    "spreading_erythema",
    "swelling",
    "purulent_exudate",
    "increased_exudate",
    "increased_pain",
    "odour",
    "friable_granulation",
    "debris",
    "enlarging",
    "new_breakdown",
    "probes_to_bone",
    "delayed_healing",
    "fever",
    "lymphangitis",
]
"""A sign of infection that a clinician looks for."""


class StatedSign(TypedDict):
    """A sign that was looked for, and whether it was there."""

    sign: InfectionSign
    status: Literal["present", "absent"]


WoundStageValue = Literal[
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "unstageable",
    "suspected_deep_tissue_injury",
    "mucosal",
    "0A",
    "0B",
    "0C",
    "0D",
    "1A",
    "1B",
    "1C",
    "1D",
    "2A",
    "2B",
    "2C",
    "2D",
    "3A",
    "3B",
    "3C",
    "3D",
]
"""Of ``pressure`` 1 to 4 or a word, of ``wagner`` 0 to 5, of ``texas`` 0A to 3D."""


class _WoundStage(TypedDict):
    system: Literal["wagner", "pressure", "texas"]
    value: WoundStageValue


class WoundStage(_WoundStage, total=False):
    """A stage or grade as a person stated it; never told from a photo.

    ``statedAt`` is a day, or a moment with its offset, where that is not the time of the photo.
    """

    statedBy: str
    statedAt: str


class ClinicianObservations(TypedDict, total=False):
    """What a person stated at the bedside; copied to the report, never guessed. An empty list states nothing.

    Nothing stands twice in a list. Depths of ``undermining`` and ``tunnelling`` are more than 0 and at most 30 cm,
    12 of each at most; ``infectionSigns`` are the clinician's own words, 12 lines of 200 characters at most.
    """

    depthCm: float
    lengthCm: float
    widthCm: float
    exudate: Literal["none", "light", "moderate", "heavy"]
    exudateType: Literal["serous", "serosanguineous", "sanguineous", "purulent"]
    odour: Literal["none", "faint", "moderate", "strong"]
    painNrs: int
    undermining: Sequence[Undermining]
    tunnelling: Sequence[Tunnel]
    edges: Sequence[
        Literal[
            "attached",
            "not_attached",
            "approximated",
            "distinct",
            "diffuse",
            "rolled",
            "undermined",
            "macerated",
            "callused",
            "fibrotic",
        ]
    ]
    periwound: Sequence[
        Literal[
            "intact",
            "macerated",
            "erythema",
            "oedema",
            "induration",
            "warm",
            "dry",
            "scaly",
            "callus",
            "excoriated",
            "fragile",
            "blistered",
        ]
    ]
    infectionSigns: Sequence[str]
    infectionSignCodes: Sequence[StatedSign]
    stage: WoundStage


class StatedObservations(ClinicianObservations, total=False):
    """What an analysis or report says of them.

    ``statedAt`` has by field when each was stated, of those of another day than the photo's.
    """

    statedAt: Dict[str, str]


@dataclass(frozen=True)
class UploadTicket:
    """Where and how to upload one photo. Its address is a permission: treat it like a password until ``expires_at``."""

    image_id: str
    upload_url: str = field(repr=False)
    method: str
    headers: Mapping[str, str] = field(repr=False, hash=False)
    expires_at: Optional[str]
    max_bytes: Optional[int]
    raw: JsonObject = field(repr=False, compare=False)


@dataclass(frozen=True)
class ImageMetadata:
    """What the service knows of one photo. ``status`` is ``awaiting_upload`` or ``stored``; until it is stored the rest is ``None``."""

    image_id: str
    status: str
    content_type: Optional[str]
    size_bytes: Optional[int]
    sha256: Optional[str]
    width: Optional[int]
    height: Optional[int]
    readable: Optional[bool]
    unreadable_reason: Optional[str]
    environment: Optional[str]
    created_at: Optional[str]
    stored_at: Optional[str]
    upload_expires_at: Optional[str]
    raw: JsonObject = field(repr=False, compare=False)


@dataclass(frozen=True)
class UploadReceipt:
    """What the storage answered: its ETag, where it gives one, and how many bytes went there."""

    etag: Optional[str]
    size_bytes: int


@dataclass(frozen=True)
class Artifact:
    """A picture or document that was saved."""

    path: str
    content_type: Optional[str]
    size_bytes: int


@dataclass(frozen=True)
class JobError:
    """Why a job ended in error; ``retryable`` where a new job on the same photo may succeed."""

    code: str
    detail: str
    retryable: bool


@dataclass(frozen=True)
class Job:
    """An analysis job: a ``CompletedJob``, a ``FailedJob`` or a ``RunningJob``, by its ``status``. Moments are RFC 3339 texts.

    ``status`` is ``queued``, ``processing``, ``completed`` or ``error``; one that you do not know counts as running.
    ``result`` comes with ``completed`` and is the plain JSON of the contract; ``error`` comes with ``error``.
    ``links["report"]`` comes with ``completed``, and ``get_report`` takes it as it is.
    """

    id: str
    status: str
    image_id: str
    clinical_context: Optional[str] = field(repr=False)
    subject: Optional[JsonObject] = field(repr=False, hash=False)
    captured_at: Optional[str] = field(repr=False)
    captured_as_stated: Optional[str] = field(repr=False)
    calibration: Optional[JsonObject] = field(repr=False, hash=False)
    clinician_observations: Optional[JsonObject] = field(repr=False, hash=False)
    priority: Optional[str]
    metadata: Optional[Dict[str, str]] = field(repr=False, hash=False)
    environment: Optional[str]
    created_at: Optional[str]
    started_at: Optional[str]
    completed_at: Optional[str]
    attempts: Optional[int]
    retry_of: Optional[str]
    #: The outcome that ``metadata["sandbox"]`` asked for; None: none, and in live always.
    sandbox: Optional[str]
    result: Optional[WoundResult] = field(repr=False, hash=False)
    error: Optional[JobError]
    links: JsonObject = field(repr=False, hash=False)
    raw: JsonObject = field(repr=False, compare=False)

    @property
    def is_finished(self) -> bool:
        """Whether the job is ``completed`` or in ``error``, and so never changes again."""
        return self.status in ("completed", "error")


@dataclass(frozen=True)
class RunningJob(Job):
    """A job that has not ended."""

    status: Literal["queued", "processing"]
    result: None = field(repr=False, hash=False)
    error: None


@dataclass(frozen=True)
class CompletedJob(Job):
    """A job that has completed: its ``result`` and its report are there."""

    status: Literal["completed"]
    result: WoundResult = field(repr=False, hash=False)
    error: None


@dataclass(frozen=True)
class FailedJob(Job):
    """A job that ended in ``error``."""

    status: Literal["error"]
    result: None = field(repr=False, hash=False)
    error: JobError


#: ``if job.status == "completed": job.result["wounds"]`` is known to a type checker.
EndedJob = Union[CompletedJob, FailedJob]
AnyJob = Union[RunningJob, CompletedJob, FailedJob]


@dataclass(frozen=True)
class ListPage(Generic[ItemT]):
    """One page of a list. ``next_cursor`` leads to the next one and is ``None`` at the end."""

    items: Tuple[ItemT, ...]
    next_cursor: Optional[str]

    @property
    def has_next_page(self) -> bool:
        """Whether ``next_cursor`` leads anywhere."""
        return self.next_cursor is not None


@dataclass(frozen=True)
class JobPage(ListPage[AnyJob]):
    """One page of jobs, newest first."""

    raw: JsonObject = field(repr=False, compare=False)


@dataclass(frozen=True)
class Usage:
    """The analyses of the organization today, in UTC, test and live together."""

    limit: int
    used: int
    remaining: int
    resets_at: str
    raw: JsonObject = field(repr=False, compare=False)


@dataclass(frozen=True)
class UploadProgress:
    """So many bytes of the photo are on their way. Begins anew when an upload has to be repeated."""

    sent_bytes: int
    total_bytes: Optional[int]
    phase: Literal["upload"] = "upload"


@dataclass(frozen=True)
class WaitProgress:
    """The job as it was just read."""

    job: AnyJob
    phase: Literal["wait"] = "wait"


Progress = Union[UploadProgress, WaitProgress]
OnProgress = Callable[[Progress], None]
