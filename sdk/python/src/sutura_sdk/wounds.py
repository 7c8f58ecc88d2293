"""Wounds over all their assessments. What could identify a patient is left out of every ``repr``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Optional, Tuple, TypedDict

from .measures import AreaChange, AreaRelation, AreaReset, AreaSlope, Course, FollowUpFlag, MeasuredValue, PhotoQuality, TissueComposition, UnconfirmedNecrosis
from .models import CodedConcept, JsonObject, ListPage


class _NamedReviewer(TypedDict):
    id: str
    name: str


class Reviewer(_NamedReviewer, total=False):
    """The person who took a decision, as your system knows them; ``system`` is the URI of the numbering of ``id``."""

    system: str


class PatientReference(TypedDict):
    """The patient as you named them; ``system`` is ``None`` for your own numbering."""

    id: str
    system: Optional[str]


@dataclass(frozen=True)
class Wound:
    """One physical wound over all its assessments. ``id`` is the service's, ``wound_id`` your own.

    ``status`` is ``open`` or ``closed``: only a person closes and reopens a wound. ``merged_into`` is the wound that a
    person joined this one into. Not ``linked``: its assessment named no wound.
    """

    id: str
    patient: Optional[PatientReference] = field(repr=False, hash=False)
    wound_id: Optional[str] = field(repr=False)
    wound_id_system: Optional[str] = field(repr=False)
    linked: bool
    body_site: Optional[CodedConcept] = field(repr=False, hash=False)
    laterality: Optional[str] = field(repr=False)
    wound_type: Optional[CodedConcept] = field(repr=False, hash=False)
    status: str
    closed_at: Optional[str]
    merged_into: Optional[str]
    environment: Optional[str]
    created_at: Optional[str]
    #: Its reports that wait for a person; empty among candidates and in a timeline.
    attention: List[JsonObject] = field(repr=False, hash=False)
    links: JsonObject = field(repr=False, hash=False)
    raw: JsonObject = field(repr=False, compare=False)


@dataclass(frozen=True)
class WoundEvent:
    """A person's decision about a wound: ``merged``, ``unmerged``, ``closed``, ``reopened``, or the end
    of it by a relation: ``joined``, ``unjoined``, ``split`` or ``unsplit``."""

    decision: str
    other_wound: Optional[str]
    reviewer: Optional[Reviewer] = field(repr=False, hash=False)
    note: Optional[str] = field(repr=False)
    decided_at: Optional[str]
    entered_by: Optional[str] = None
    #: Of closing, ``healed`` alone is a cure; ``None``: not said, which counts as ``other``.
    reason: Optional[str] = None


@dataclass(frozen=True)
class EventWithdrawal:
    """Who took a clinical event or a relation back, and why."""

    withdrawn_at: Optional[str]
    note: Optional[str] = field(repr=False)
    by: Optional[Reviewer] = field(repr=False, hash=False)
    entered_by: Optional[str]


@dataclass(frozen=True)
class ClinicalEvent:
    """What was done to a wound, or happened to it, between its photos.

    ``type`` is ``debridement``, ``graft``, ``skin_substitute``, ``compression``, ``offloading``, ``negative_pressure``,
    ``antibiotics``, ``surgery``, ``amputation``, ``dressing_change``, ``trauma`` or ``other``. ``withdrawn`` is ``None`` where
    it stands.
    """

    id: str
    wound: Optional[str]
    type: str
    occurred_at: Optional[str]
    note: Optional[str] = field(repr=False)
    by: Optional[Reviewer] = field(repr=False, hash=False)
    recorded_at: Optional[str]
    entered_by: Optional[str]
    withdrawn: Optional[EventWithdrawal]
    raw: JsonObject = field(repr=False, compare=False)


@dataclass(frozen=True)
class ClinicalEventList(ListPage[ClinicalEvent]):
    """All clinical events of a wound, oldest first, withdrawn ones too."""

    raw: JsonObject = field(repr=False, compare=False)


@dataclass(frozen=True)
class WoundRelation:
    """Wounds that grew together (``joined``), or one that fell into several (``split``).

    ``whole`` is what the ``parts`` have become, or were; it is among them where it goes on under its number. ``withdrawn`` is
    ``None`` where it stands.
    """

    id: str
    kind: str
    whole: str
    parts: Tuple[str, ...]
    at: Optional[str]
    note: Optional[str] = field(repr=False)
    by: Optional[Reviewer] = field(repr=False, hash=False)
    recorded_at: Optional[str]
    entered_by: Optional[str]
    withdrawn: Optional[EventWithdrawal]
    raw: JsonObject = field(repr=False, compare=False)


@dataclass(frozen=True)
class WoundDetails(Wound):
    """A wound, what people decided about it, oldest first, and of an unlinked one the ``candidates`` that it may be."""

    candidates: Tuple[Wound, ...] = field(repr=False)
    events: Tuple[WoundEvent, ...] = field(repr=False)
    #: As it stands now; ``None``: not known.
    course: Optional[Course] = field(repr=False, hash=False, default=None)
    #: What was done to it and stands, oldest first.
    clinical_events: Tuple[ClinicalEvent, ...] = field(repr=False, default=())
    #: With what it has grown together, and into what it has fallen; those taken back, too.
    relations: Tuple[WoundRelation, ...] = field(repr=False, default=())


@dataclass(frozen=True)
class WoundPage(ListPage[Wound]):
    """One page of wounds, newest first."""

    raw: JsonObject = field(repr=False, compare=False)


@dataclass(frozen=True)
class TimelineAssessment:
    """One photo in the series of its wound, as it stands now. Moments are RFC 3339 texts.

    Measures are ``None`` without an outline or a scale. ``no_trend_reason`` says why the photo gives no area for the
    series: ``no_wound_outlined``, ``multiple_outlines``, ``no_scale``, ``day_unknown``, ``awaiting_confirmation``
    (``attention`` says why),
    ``superseded`` (``superseded_by`` is the report of the same photo that stands). ``trend`` is ``smaller``, ``larger``,
    ``within_detectable_change``, or ``None`` where two photos are not comparable; ``trend_basis`` is ``slope`` or ``pair``.
    """

    sequence: int
    captured_at: Optional[str] = field(repr=False)
    captured_as_stated: Optional[str] = field(repr=False)
    job_id: Optional[str]
    image_id: Optional[str]
    report_id: str
    report_version: Optional[int]
    report_status: Optional[str]
    wound_detected: Optional[bool] = field(repr=False)
    area_cm2: Optional[MeasuredValue] = field(repr=False, hash=False)
    length_cm: Optional[MeasuredValue] = field(repr=False, hash=False)
    width_cm: Optional[MeasuredValue] = field(repr=False, hash=False)
    perimeter_cm: Optional[MeasuredValue] = field(repr=False, hash=False)
    area_pixels: Optional[float] = field(repr=False)
    tissue: Optional[TissueComposition] = field(repr=False, hash=False)
    confirmed_tissues: Tuple[str, ...] = field(repr=False)
    quality: Optional[PhotoQuality] = field(repr=False, hash=False)
    scale_source: Optional[str] = field(repr=False)
    model: Optional[str] = field(repr=False)
    outline_source: Optional[str] = field(repr=False)
    no_trend_reason: Optional[str] = field(repr=False)
    attention: Tuple[str, ...] = field(repr=False)
    since_previous: Optional[AreaChange] = field(repr=False, hash=False)
    since_baseline: Optional[AreaChange] = field(repr=False, hash=False)
    since_smallest: Optional[AreaChange] = field(repr=False, hash=False)
    slope: Optional[AreaSlope] = field(repr=False, hash=False)
    trend: Optional[str] = field(repr=False)
    trend_basis: Optional[str] = field(repr=False)
    superseded_by: Optional[str] = field(repr=False)
    flags: List[FollowUpFlag] = field(repr=False, hash=False)
    links: JsonObject = field(repr=False, hash=False)
    raw: JsonObject = field(repr=False, compare=False)
    #: ``None`` in reports by rules 1 to 3.
    course: Optional[Course] = field(repr=False, hash=False, default=None)
    #: ``newborn``, ``infant``, ``under_5``, ``under_10``, ``under_15``, ``under_18``; ``None``: an adult, or no birth date is known.
    age_group: Optional[str] = field(repr=False, hash=False, default=None)
    #: ``None``: no treatment changed the area by itself.
    reset: Optional[AreaReset] = field(repr=False, hash=False, default=None)
    #: ``None``: it neither grew together with others nor fell apart.
    relation: Optional[AreaRelation] = field(repr=False, hash=False, default=None)
    #: ``None``: no necrosis, little of it, or stated by a clinician.
    unconfirmed_necrosis: Optional[UnconfirmedNecrosis] = field(repr=False, hash=False, default=None)


@dataclass(frozen=True)
class WoundTimeline:
    """The wound asked for, or the one that it was merged into, and its assessments, oldest photo first.

    Without those entered in error. Decision support, not a diagnosis.
    """

    wound: Wound
    assessments: Tuple[TimelineAssessment, ...]
    raw: JsonObject = field(repr=False, compare=False)
