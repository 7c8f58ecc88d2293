"""The result of a completed job, as plain JSON in the fields of the contract."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, TypedDict

from .measures import (
    Familiarity,
    FollowUpSummary,
    MeasuredArea,
    MeasuredLength,
    ModelUsed,
    PhotoQuality,
    PixelPolygon,
    PushScore,
    ScaleUsed,
    TissueComposition,
)


class BoundingBox(TypedDict):
    """In pixels of the oriented photo."""

    x: float
    y: float
    width: float
    height: float


class WoundMeasurement(TypedDict):
    """One outline and its measures.

    ``index`` 0 is the largest outline, the wound of ``subject``; pictures and reports number from 1. ``tissue`` is ``None``
    without a tissue model.
    """

    index: int
    confidence: float
    boundingBox: BoundingBox
    contour: PixelPolygon
    area: MeasuredArea
    length: MeasuredLength
    width: MeasuredLength
    perimeter: MeasuredLength
    tissue: Optional[TissueComposition]


class ResultTotals(TypedDict):
    """Of all outlines; ``areaCm2`` is ``None`` where the photo has no scale."""

    woundCount: int
    areaPixels: float
    areaCm2: Optional[float]


class ResultScores(TypedDict):
    """Scores that the operator has turned on."""

    push: PushScore


class ArtifactReference(TypedDict):
    """A picture made from the analysis; ``download_artifact`` saves it."""

    url: str
    contentType: str
    width: int
    height: int


class _Pictures(TypedDict):
    mask: ArtifactReference
    overlay: ArtifactReference


class ResultArtifacts(_Pictures, total=False):
    """``tissue`` only where tissue was told apart."""

    tissue: ArtifactReference


class _Trace(TypedDict):
    models: List[ModelUsed]
    executionProvider: str
    preprocessing: Dict[str, Any]
    thresholds: Dict[str, Any]
    areaRepeatabilityPct: Optional[float]
    timingsMs: Dict[str, float]


class ResultTrace(_Trace, total=False):
    """Which models made a result, and how; ``areaRepeatabilityPct`` is one standard deviation of photographing anew.

    ``pixelSha256`` is that of the decoded pixels; results of older releases lack it.
    """

    pixelSha256: str


class ResultRegion(TypedDict):
    """Which outline is the wound of the subject, by ``subject.region``; None: none lies there."""

    outline: Optional[int]


class _Result(TypedDict):
    schemaVersion: str
    woundDetected: bool
    confidence: float
    quality: PhotoQuality
    scale: ScaleUsed
    wounds: List[WoundMeasurement]
    totals: ResultTotals
    scores: Optional[ResultScores]
    followUp: Optional[FollowUpSummary]
    artifacts: ResultArtifacts
    trace: ResultTrace


class WoundResult(_Result, total=False):
    """What a completed job says: decision support, not a diagnosis.

    ``woundDetected`` false is a finding about this photo, and never that a wound has healed; ``confidence`` says how surely
    it is right. ``attention`` says why the report waits for a person. Results of older releases lack ``familiarity`` and
    ``attention``.
    """

    familiarity: Optional[Familiarity]
    region: ResultRegion
    attention: List[str]
