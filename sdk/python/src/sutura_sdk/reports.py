"""The clinical report of a photo, and what a person decides about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Literal, Optional, Sequence, Tuple, TypedDict, Union

from .measures import Familiarity, Figures, FollowUpFlag, ModelUsed, PhotoQuality, PixelPolygon, PushScore, ScaleUsed
from .measures import SeriesComparison, TissueComposition, TissueShares
from .models import Calibration, ClinicianObservations, CodedConcept, JsonObject, ListPage, Subject
from .wounds import PatientReference, Reviewer

DocumentFormat = Literal["pdf", "html", "text", "json"]
Language = Literal["en", "es", "de", "fr"]
Paper = Literal["a4", "letter"]


class PhotoSize(TypedDict):
    """Of the oriented photo."""

    widthPx: int
    heightPx: int


class WoundInPhoto(TypedDict):
    """One of several outlines of a photo.

    ``number`` stands beside it in pictures: 1 is the largest, ``index`` + 1 in the result. The figures of the report are of
    those that are ``counted``. ``confidence`` is ``None`` where a person drew the outline.
    """

    number: int
    counted: bool
    figures: Figures
    confidence: Optional[float]
    tissue: Optional[TissueComposition]


class _LaterFindings(TypedDict, total=False):
    wounds: List[WoundInPhoto]
    familiarity: Optional[Familiarity]


class Findings(_LaterFindings):
    """What the photo says of the wound, after what people corrected.

    ``outlineSource`` is ``model``, ``reviewer_choice`` or ``reviewer_contour``. ``ambiguous``: several outlines compete
    and nobody has said which belong, so no trend is made from this photo. ``figures`` is ``None`` without an outline.
    ``wounds`` has every outline where there are several; ``familiarity`` is that of the model's outline, whoever drew the
    present one. Earlier reports lack them.
    ``areaRepeatabilityPct`` is how much an area varies where nothing but the photo changes: one standard deviation.
    """

    photo: PhotoSize
    woundDetected: bool
    outlines: List[PixelPolygon]
    outlineSource: str
    otherOutlines: int
    ambiguous: bool
    figures: Optional[Figures]
    tissue: Optional[TissueComposition]
    confirmedTissues: List[str]
    push: Optional[PushScore]
    confidence: Optional[float]
    quality: PhotoQuality
    scale: ScaleUsed
    areaRepeatabilityPct: float
    model: str


class ReportSubject(TypedDict):
    """Whose wound, with the ids as you gave them; ``woundRef`` is the service's own id of the wound."""

    patient: Optional[PatientReference]
    woundRef: str
    woundId: Optional[str]
    woundIdSystem: Optional[str]
    bodySite: Optional[CodedConcept]
    laterality: Optional[str]
    woundType: Optional[CodedConcept]


class _EnteredBy(TypedDict, total=False):
    enteredBy: str


class ReviewStamp(_EnteredBy):
    """The decision that last shaped a report; ``enteredBy``: the person behind the request, where X-Sutura-User named one."""

    decision: str
    reviewer: Reviewer
    note: Optional[str]
    reviewedAt: str


@dataclass(frozen=True)
class ReportVersion:
    """The report of one photo, in one version. Moments are RFC 3339 texts. Decision support, not a diagnosis.

    ``status`` is ``preliminary`` until a person accepts or corrects it, then ``final``, ``amended``, ``corrected`` or
    ``entered-in-error``. ``findings``, ``comparison`` and ``flags`` are the plain JSON of the contract. ``sequence`` is the
    place of the photo in the wound's series, ``None`` where the version is not the present one.
    """

    id: str
    version: int
    status: str
    reason: Optional[str]
    environment: Optional[str]
    job_id: Optional[str]
    image_id: Optional[str]
    sequence: Optional[int]
    replaces: Optional[str]
    replaced_by: Optional[str]
    issued_at: Optional[str]
    subject: ReportSubject = field(repr=False, hash=False)
    captured_at: Optional[str] = field(repr=False)
    captured_as_stated: Optional[str] = field(repr=False)
    clinical_context: Optional[str] = field(repr=False)
    clinician_observations: Optional[JsonObject] = field(repr=False, hash=False)
    findings: Findings = field(repr=False, hash=False)
    comparison: SeriesComparison = field(repr=False, hash=False)
    flags: List[FollowUpFlag] = field(repr=False, hash=False)
    review: Optional[ReviewStamp] = field(repr=False, hash=False)
    models: List[ModelUsed] = field(repr=False, hash=False)
    #: Who and where the report is about, as the records say now; None in lists of versions and in answers to reviews.
    heading: Optional[JsonObject] = field(repr=False, hash=False)
    #: The outcome that ``metadata["sandbox"]`` of its job asked for; None: none, and in live always.
    sandbox: Optional[str]
    #: Photos that documents of this report showed and that were deleted.
    erased_photos: List[JsonObject] = field(repr=False, hash=False)
    links: JsonObject = field(repr=False, hash=False)
    raw: JsonObject = field(repr=False, compare=False)


@dataclass(frozen=True)
class Report(ReportVersion):
    """The report as it stands. ``etag`` is no field of the JSON: it names what was read, and ``review_report`` sends it along."""

    etag: str = field(repr=False)


class ReportReference(TypedDict):
    """What a review is about: the ``id`` of a report and the ``etag`` that it was read with."""

    id: str
    etag: str


class ReviewerPolygon(TypedDict):
    """GeoJSON Polygon (RFC 7946) in pixels of the oriented photo: the outer ring first, then holes; rings are closed."""

    type: Literal["Polygon"]
    coordinates: Sequence[Sequence[Sequence[float]]]


class ReviewerMultiPolygon(TypedDict):
    """GeoJSON MultiPolygon (RFC 7946) in pixels of the oriented photo."""

    type: Literal["MultiPolygon"]
    coordinates: Sequence[Sequence[Sequence[Sequence[float]]]]


class _Decision(TypedDict):
    decision: Literal["accept", "reject", "correct", "reassign"]
    reviewer: Reviewer


class ReviewRequest(_Decision, total=False):
    """A person's decision about a report, in the fields of the contract.

    ``accept``; ``reject`` (entered in error); ``correct`` with a ``contour``, the ``outlines`` of the result that belong
    (by index), ``tissue``, the scale that a person found as ``calibration``, or ``observations`` in place of what had been stated;
    ``reassign`` with the right ``subject``.
    """

    contour: Union[ReviewerPolygon, ReviewerMultiPolygon]
    outlines: Sequence[int]
    tissue: TissueShares
    calibration: Calibration
    observations: ClinicianObservations
    confirmOutline: bool
    subject: Subject
    note: str


@dataclass(frozen=True)
class ReviewLink:
    """A link to the review desk. ``url`` opens once and is a secret until then; the desk ends at ``expires_at``, too."""

    id: str
    url: str = field(repr=False)
    expires_at: str
    raw: JsonObject = field(repr=False, hash=False)


@dataclass(frozen=True)
class FiledReport:
    """A report without its content, as a look-up finds it: ``get_report`` reads it. Moments are RFC 3339 texts.

    ``status`` ``entered-in-error``: withdrawn; ``replaced_by`` is what took its place. ``wound_ref`` is the wound that it was filed
    under; where a person joined that one into another, it says so. ``attention``: why it waits for a person.
    """

    id: str
    version: int
    status: str
    job_id: str
    image_id: str
    wound_ref: str
    attention: Tuple[str, ...]
    replaces: Optional[str]
    replaced_by: Optional[str]
    captured_at: Optional[str]
    created_at: Optional[str]
    links: JsonObject = field(repr=False, hash=False)
    raw: JsonObject = field(repr=False, compare=False)


@dataclass(frozen=True)
class ReportPage(ListPage[FiledReport]):
    """One page of reports, those of the newest job first. It may have few items, or none, before the last page."""

    raw: JsonObject = field(repr=False, compare=False)
