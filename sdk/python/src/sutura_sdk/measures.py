"""What is measured of a wound and how it is compared, as plain JSON in the fields of the contract.

Of an answer: fields may be added, and words such as a ``warnings`` entry as well. Decision support, not a diagnosis.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict


class MeasuredValue(TypedDict):
    """A value with its bounds: the true one lies between them in nine of ten cases."""

    value: float
    lower: float
    upper: float


class PixelBounds(TypedDict):
    """What the outline alone leaves open."""

    lower: float
    upper: float


class _Length(TypedDict):
    pixels: float
    cm: Optional[MeasuredValue]


class MeasuredLength(_Length, total=False):
    """In the photo, and on the plane of the skin; ``cm`` is ``None`` where the photo has no scale.

    ``line`` has the ends of a length or width, in pixels of the oriented photo. A perimeter has none, and earlier results
    neither.
    """

    line: List[List[float]]


class MeasuredArea(TypedDict):
    """In the photo, and on the plane of the skin; ``cm2`` is ``None`` where the photo has no scale."""

    pixels: float
    pixelBounds: PixelBounds
    cm2: Optional[MeasuredValue]


class Figures(TypedDict):
    """Of several outlines area and perimeter are sums, length and width those of the largest."""

    area: MeasuredArea
    length: MeasuredLength
    width: MeasuredLength
    perimeter: MeasuredLength


class TissueShares(TypedDict):
    """Shares of the wound bed, together 1. In a review they count as confirmed by a clinician."""

    granulation: float
    slough: float
    necrosis: float
    other: float


class TissueComposition(TissueShares):
    """Shares of the wound bed, and by which ``method`` each was found: ``model``, ``cielab_rule``, ``remainder`` or ``clinician``."""

    method: Dict[str, str]


class PhotoQuality(TypedDict):
    """How the photo was taken; where not ``acceptable``, another one should be. No figure is changed by it."""

    acceptable: bool
    sharpness: float
    exposure: float
    glareShare: float
    warnings: List[str]


class ExpectedDice(TypedDict):
    """Overlap with an expert's outline, and the interval that held nine of ten labelled photos."""

    value: float
    lower: float
    upper: float


class Familiarity(TypedDict):
    """How far the model can be trusted with a photo; the quality speaks of the photo alone.

    ``score`` is the probability that an expert's outline overlaps with this one to a Dice of 0.7 or more. Where
    ``outlineReliable`` is false, the outline is more likely wrong than right.
    """

    score: float
    expectedDice: ExpectedDice
    outlineReliable: bool


class MarkerFinding(TypedDict):
    """What was seen of a printed calibration card; ``reason`` says why it was not used."""

    status: str
    card: Optional[str]
    markerIds: List[int]
    tiltDegrees: Optional[float]
    reason: Optional[str]


class ScaleUsed(TypedDict):
    """What the centimetres are made from: ``source`` is ``marker``, ``client`` or ``none``.

    ``pixelToMm`` is a 3x3 matrix, row by row, from pixels of the oriented photo to millimetres on the plane of the skin.
    """

    source: str
    mmPerPixel: Optional[float]
    uncertaintyPct: Optional[float]
    pixelToMm: Optional[List[float]]
    marker: Optional[MarkerFinding]


class PushScore(TypedDict):
    """PUSH Tool 3.0, where the operator has turned it on; ``missing`` names what nobody stated."""

    area: Optional[int]
    tissue: Optional[int]
    exudate: Optional[int]
    total: Optional[int]
    missing: List[str]


class _ModelName(TypedDict):
    name: str
    version: str
    sha256: str
    researchOnly: bool


class ModelUsed(_ModelName, total=False):
    """A model that the figures come from.

    ``task`` is what it did: ``wound-segmentation`` or ``tissue-segmentation``; more may come. Results from before models
    said it lack it.
    """

    task: str


class PixelPolygon(TypedDict):
    """GeoJSON polygon in pixels of the oriented photo: the outer ring first, then holes."""

    type: Literal["Polygon"]
    coordinates: List[List[List[float]]]


class FollowUpSummary(TypedDict):
    """``followUp`` of a job's result: against the photo before, as known when the job ended; the timeline has the present state."""

    asOf: str
    previousJobId: str
    daysSincePrevious: float
    areaChangePct: float
    areaChangeSinceBaselinePct: Optional[float]
    minimalDetectableChangePct: float
    beyondDetectable: bool
    warnings: List[str]


class Interval(TypedDict):
    """Holds the true value in nine of ten cases."""

    lower: float
    upper: float


class Estimate(Interval):
    """A figure with its interval."""

    value: float


class AreaSlope(TypedDict):
    """The course of the area over at least three comparable assessments of at most eight weeks.

    ``pctPerWeek`` is below 0 where the area shrinks, ``marginAdvanceMmPerDay`` below 0 where the margin retreats.
    ``isGrowth``: the 95 % interval lies above 0.
    """

    assessments: int
    days: float
    pctPerWeek: Estimate
    marginAdvanceMmPerDay: Optional[Estimate]
    isGrowth: bool


class _ClosureReason(TypedDict, total=False):
    reason: str


class WoundClosure(_ClosureReason):
    """A person had closed the wound before the photo was taken; ``reopenedAt`` is ``None`` where nobody reopened it.

    Without ``reason`` it was not said, which counts as ``other``.
    """

    closedAt: str
    reopenedAt: Optional[str]


class _AreaInterval(TypedDict, total=False):
    areaPctInterval: Interval


class AreaChange(_AreaInterval):
    """The change of a wound's area between two photos; below 0 it is smaller than then.

    A change in this direction below ``minimalDetectableChangePct`` may come from taking the photo anew. ``warnings`` say why
    two areas may differ though the wound did not: ``other_scale_source``, ``poor_quality``, ``other_model_version``,
    ``doubtful_outline``, ``treated_between``. Reports of release 0.1 lack ``areaPctInterval``.
    """

    days: float
    areaCm2: float
    areaPct: float
    areaCm2PerWeek: Optional[float]
    marginAdvanceMmPerDay: Optional[float]
    minimalDetectableChangePct: float
    beyondDetectable: bool
    warnings: List[str]


class AreaReset(TypedDict):
    """A treatment by which the area counts anew, from ``baselineReportId`` on.

    ``change`` stands on that area itself: from the last one before (``beforeReportId``), neither better nor worse.
    """

    type: str
    occurredAt: str
    baselineReportId: str
    change: Optional[AreaChange]
    beforeReportId: Optional[str]


class SummedArea(TypedDict):
    """One of the areas that are told as one."""

    woundRef: str
    reportId: str
    areaCm2: float


class RelatedArea(TypedDict, total=False):
    """An area of the course of a wound that is not of its number alone; ``sumOf`` says what it adds up."""

    capturedAt: str
    capturedAsStated: str
    areaCm2: MeasuredValue
    sumOf: List[SummedArea]


class _RelatedAreas(TypedDict, total=False):
    before: List[RelatedArea]
    together: RelatedArea


class AreaRelation(_RelatedAreas):
    """What grew together (``joined``) or fell apart (``split``), by which the area counts anew.

    ``change`` stands on the first area after it: from the sum of what grew together (``sumOf``), or from the wound before to
    the sum of its parts. On the same area ``before`` has what it was before under other numbers, or in sum, and ``together`` all
    parts of a split.
    """

    kind: str
    at: str
    wounds: List[str]
    change: Optional[AreaChange]
    sumOf: List[SummedArea]
    areaCm2: Optional[float]
    beforeReportId: Optional[str]


class StatedTime(TypedDict, total=False):
    """The time of a photo beyond ``capturedAt``."""

    #: ``capturedAt`` as its sender stated it: with their offset, or a day, month or year alone.
    capturedAsStated: str


class AssessmentLink(StatedTime):
    """Another assessment of the same wound, measured or not."""

    reportId: str
    jobId: str
    imageId: str
    capturedAt: str


class _MaybeSum(TypedDict, total=False):
    #: The area is that of several wounds which have grown together since.
    sumOf: List[SummedArea]


class SeriesPoint(AssessmentLink, _MaybeSum):
    """An earlier assessment that has an area."""

    areaCm2: MeasuredValue


class Course(TypedDict):
    """Better or worse, from all that is known; decision support, not a diagnosis.

    ``verdict`` is ``improving``, ``unchanged``, ``worsening``, ``mixed``, ``closed`` (healed), ``ended``, ``reopened`` or
    ``unknown``. ``because`` has its reasons, worse first: ``domain``, ``what``, ``direction``, ``from``, ``to``, ``days``.
    ``waitsFor`` says what a person has to say first.
    """

    verdict: str
    since: str
    because: List[Dict[str, Any]]
    waitsFor: List[str]


class UnconfirmedNecrosis(TypedDict):
    """Much necrosis, by the software alone, for a person to look at: it changes no verdict and raises no flag."""

    fromPct: Optional[float]
    toPct: float
    days: float
    comparedWithReportId: Optional[str]


class _JudgedComparison(TypedDict, total=False):
    course: Course
    ageGroup: str
    reset: AreaReset
    relation: AreaRelation
    unconfirmedNecrosis: UnconfirmedNecrosis
    raisedBefore: List[str]


class SeriesComparison(_JudgedComparison):
    """Against the wound's earlier photos; ``noTrendReason`` says why this photo gives no area for the series.

    ``attention`` says why it waits for a person. ``previousAssessment`` is the photo before, measured or not; ``previous`` the
    last that this one can be compared with. ``trend`` is ``smaller``, ``larger``, ``within_detectable_change``, or ``None``
    where two photos are not comparable; ``trendBasis`` is ``slope`` or ``pair``. ``supersededBy`` is the report of the same
    photo that stands in place of this one. ``rules`` is the edition of the rules; 1 is that of release 0.1. ``ageGroup`` is
    ``newborn``, ``infant``, ``under_5``, ``under_10``, ``under_15`` or ``under_18``, and absent for adults and where no birth
    date is known. ``raisedBefore``: of what ``wound.attention`` tells what an earlier photo has told; absent: nothing.
    """

    rules: int
    noTrendReason: Optional[str]
    attention: List[str]
    previousAssessment: Optional[AssessmentLink]
    previous: Optional[SeriesPoint]
    baseline: Optional[SeriesPoint]
    smallest: Optional[SeriesPoint]
    sincePrevious: Optional[AreaChange]
    sinceBaseline: Optional[AreaChange]
    sinceSmallest: Optional[AreaChange]
    slope: Optional[AreaSlope]
    trend: Optional[str]
    trendBasis: Optional[str]
    supersededBy: Optional[str]
    supersedes: Optional[str]
    closure: Optional[WoundClosure]


class _ComparedFlag(TypedDict, total=False):
    interval: Optional[Interval]
    comparedWith: Optional[str]
    comparedWithReportId: Optional[str]
    words: List[str]


class FollowUpFlag(_ComparedFlag):
    """Something worth a clinician's look, never a prediction; ``evidence`` and ``evidenceFor`` say what it rests on.

    ``value`` is a change in %, by slope in % a week, of a share in percentage points; days since the wound was closed; number
    of signs, whose ``words`` are the clinician's own. ``comparedWith`` is ``previous``, ``baseline``, ``smallest``,
    ``earlier`` or ``slope``. Reports of release 0.1 lack it, ``interval`` and ``words``.
    """

    code: str
    value: float
    days: float
    evidence: List[str]
    evidenceFor: Optional[str]
    woundTypeKnown: bool
