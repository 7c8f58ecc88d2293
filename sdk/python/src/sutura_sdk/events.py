"""Events of webhooks, as plain JSON in the fields of the contract: ``type`` says which ``data`` an event has.

Types and fields are added over time: pass over those that you do not know.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

from .measures import MeasuredValue, StatedTime
from .models import CodedConcept, StatedObservations
from .wounds import PatientReference, Reviewer


class _Numbered(TypedDict):
    #: Rises with every event of the endpoint: drop what is older than what you have.
    sequence: int


class _FullWound(TypedDict, total=False):
    """What an endpoint with the content ``full`` is told besides."""

    patient: Optional[PatientReference]
    callersWoundId: Optional[str]
    callersWoundIdSystem: Optional[str]
    truncated: Literal[True]


class _ByPerson(TypedDict, total=False):
    reviewer: Optional[Reviewer]
    note: Optional[str]


class _Asked(TypedDict, total=False):
    #: The outcome that ``metadata.sandbox`` of the job asked for; absent: none, and in live always.
    sandbox: str


class AnalysisCompletedData(_Numbered, _Asked):
    """Of ``analysis.completed``."""

    jobId: str
    imageId: str
    reportId: Optional[str]
    woundDetected: bool


class EventFault(TypedDict):
    """Why there will be no result."""

    code: str
    retryable: bool


class AnalysisFailedData(_Numbered, _Asked):
    """Of ``analysis.failed``."""

    jobId: str
    imageId: Optional[str]
    error: EventFault


class _FullReport(_FullWound, total=False):
    bodySite: Optional[CodedConcept]
    laterality: Optional[str]
    woundType: Optional[CodedConcept]
    clinicalContext: Optional[str]
    clinicianObservations: Optional[StatedObservations]
    review: Optional[Dict[str, Any]]


class _CountedAnew(TypedDict, total=False):
    reset: str
    relation: str


class EventQuality(TypedDict):
    """Of the photo: where it is not ``acceptable``, another one should be taken."""

    acceptable: bool
    warnings: List[str]


class ReportEventData(_Numbered, _FullReport, _Asked, _CountedAnew, StatedTime):
    """Of ``report.ready``, ``report.amended``, ``report.reviewed`` and ``wound.attention``.

    ``version`` rises with every version of the report: drop what is older than what you have. ``areaChangePct`` is since the
    measured photo before, ``None`` where there is none. ``reset`` is the treatment since which the area counts anew, ``relation``
    that the wound grew together of others (``joined``) or is a part of one that fell apart (``split``); absent: none.
    """

    reportId: str
    jobId: str
    imageId: str
    woundId: Optional[str]
    replaces: Optional[str]
    replacedBy: Optional[str]
    version: int
    status: str
    reason: str
    capturedAt: Optional[str]
    woundDetected: bool
    areaCm2: Optional[MeasuredValue]
    quality: EventQuality
    outlineReliable: Optional[bool]
    areaChangePct: Optional[float]
    areaChangeWarnings: List[str]
    noTrendReason: Optional[str]
    flags: List[str]
    attention: List[str]
    course: Optional[Dict[str, Any]]
    decision: Optional[str]


class _Reopening(_FullWound, _ByPerson, total=False):
    decidedAt: str


class WoundOpenedData(_Numbered, _Reopening):
    """Of ``wound.opened``; ``decidedAt`` where a person reopened it."""

    woundId: str
    reopened: bool


class _Closing(_ByPerson, total=False):
    truncated: Literal[True]


class WoundClosedData(_Numbered, _Closing):
    """Of ``wound.closed``."""

    woundId: str
    decidedAt: str


class QuotaThresholdData(_Numbered):
    """Of ``quota.threshold``."""

    sharePct: int
    day: str
    limit: int
    used: int


class EndpointDisabledData(_Numbered):
    """Of ``endpoint.disabled``."""

    webhookId: str
    reason: Literal["gone", "failing"]
    disabledAt: str


class DeliveryRecoveredData(_Numbered):
    """Of ``delivery.recovered``."""

    webhookId: str
    deliveryId: str
    failingSince: str


class WebhookTestData(TypedDict):
    """Of ``webhook.test``, by the service's own test of an endpoint."""

    webhookId: str


class AnalysisCompletedEvent(TypedDict):
    """An analysis ended with a result."""

    type: Literal["analysis.completed"]
    timestamp: str
    data: AnalysisCompletedData


class AnalysisFailedEvent(TypedDict):
    """An analysis will have no result."""

    type: Literal["analysis.failed"]
    timestamp: str
    data: AnalysisFailedData


class ReportEvent(TypedDict):
    """A version of a report, or what it raises."""

    type: Literal["report.ready", "report.amended", "report.reviewed", "wound.attention"]
    timestamp: str
    data: ReportEventData


class WoundOpenedEvent(TypedDict):
    """A wound has its first photo, or was reopened."""

    type: Literal["wound.opened"]
    timestamp: str
    data: WoundOpenedData


class WoundClosedEvent(TypedDict):
    """A person closed a wound."""

    type: Literal["wound.closed"]
    timestamp: str
    data: WoundClosedData


class QuotaThresholdEvent(TypedDict):
    """80 or 100 % of the quota of the day is used."""

    type: Literal["quota.threshold"]
    timestamp: str
    data: QuotaThresholdData


class EndpointDisabledEvent(TypedDict):
    """Another webhook was disabled."""

    type: Literal["endpoint.disabled"]
    timestamp: str
    data: EndpointDisabledData


class DeliveryRecoveredEvent(TypedDict):
    """Another webhook takes events again."""

    type: Literal["delivery.recovered"]
    timestamp: str
    data: DeliveryRecoveredData


class WebhookTestEvent(TypedDict):
    """A test of this endpoint."""

    type: Literal["webhook.test"]
    timestamp: str
    data: WebhookTestData


#: ``if event["type"] == "report.ready": event["data"]["areaCm2"]`` is known to a type checker.
WebhookEvent = Union[
    AnalysisCompletedEvent,
    AnalysisFailedEvent,
    ReportEvent,
    WoundOpenedEvent,
    WoundClosedEvent,
    QuotaThresholdEvent,
    EndpointDisabledEvent,
    DeliveryRecoveredEvent,
    WebhookTestEvent,
]
