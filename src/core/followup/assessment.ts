import { outlineModelOf } from '../analysis/models-used.js';
import type {
  Familiarity,
  PhotoQuality,
  PixelPolygon,
  PushScore,
  ScaleUsed,
  WoundFigures,
  WoundMeasurement,
  WoundResult,
} from '../measurement/wound-result.js';
import { haveLikeSize } from '../measurement/like-outlines.js';
import { perLength } from '../measurement/measures.js';
import type { Tissue, TissueComposition } from '../tissue/tissues.js';

/** The author of the outline that the figures are made from. */
export const OUTLINE_SOURCES = ['model', 'reviewer_choice', 'reviewer_contour'] as const;
export type OutlineSource = (typeof OUTLINE_SOURCES)[number];

/**
 * How the outline of the subject's wound was found, where more than its size counts. `region`: it lies where the sender said;
 * `no_wound_in_region`: nothing was outlined there; `like_outlines`: another is of like size (haveLikeSize), and nobody said which it is.
 */
export const OUTLINE_CHOICES = ['region', 'no_wound_in_region', 'like_outlines'] as const;
export type OutlineChoice = (typeof OUTLINE_CHOICES)[number];

/** One of several outlines of a photo. */
export interface WoundInPhoto {
  /** 1 is the largest. It stands beside the outline in pictures, and is the result’s `index` + 1. */
  readonly number: number;
  /** The figures of the report are of those that count. */
  readonly counted: boolean;
  readonly figures: WoundFigures;
  /** null where a person drew the outline. */
  readonly confidence: number | null;
  readonly tissue: TissueComposition | null;
}

/** The findings of one photo about its wound, with people's corrections. */
export interface AssessmentFindings {
  /** The oriented photo's size. */
  readonly photo: { readonly widthPx: number; readonly heightPx: number };
  readonly woundDetected: boolean;
  /** Those that belong to the wound of the subject. */
  readonly outlines: readonly PixelPolygon[];
  readonly outlineSource: OutlineSource;
  /** Found in the photo and not counted. */
  readonly otherOutlines: number;
  /** Absent: the largest, and no other is of like size; or a person chose. */
  readonly outlineChoice?: OutlineChoice;
  /** Every outline of the photo, where there are several. Findings from before they were kept lack it. */
  readonly wounds?: readonly WoundInPhoto[];
  /** Several outlines compete and none was confirmed: the photo is left out of trends. */
  readonly ambiguous: boolean;
  /** null without an outline. */
  readonly figures: WoundFigures | null;
  readonly tissue: TissueComposition | null;
  /** Tissues whose share a clinician stated. */
  readonly confirmedTissues: readonly Tissue[];
  readonly push: PushScore | null;
  /** Probability that an expert outlines a wound here; null where a person drew the outline. */
  readonly confidence: number | null;
  readonly quality: PhotoQuality;
  readonly scale: ScaleUsed;
  /** Variation of an area when only the photo changes: one standard deviation, in %. */
  readonly areaRepeatabilityPct: number;
  /** `name/version` of the model that drew the outline. */
  readonly model: string;
  /** How far the model can be trusted on a photo like this; null: unknown, absent in older reports. */
  readonly familiarity?: Familiarity | null;
}

/** The findings that a point of a wound's series needs. Every `AssessmentFindings` is one. */
export interface SeriesFindings extends Pick<
  AssessmentFindings,
  | 'woundDetected'
  | 'outlineSource'
  | 'ambiguous'
  | 'figures'
  | 'tissue'
  | 'confirmedTissues'
  | 'quality'
  | 'areaRepeatabilityPct'
  | 'model'
  | 'familiarity'
  | 'outlineChoice'
> {
  readonly scale: Pick<ScaleUsed, 'source' | 'uncertaintyPct'>;
}

/** Above this share of the largest outline, the other outlines together make the photo ambiguous (contract, "The result"). */
export const OTHER_OUTLINES_SHARE = 0.1;
/** For models that state none. */
export const DEFAULT_REPEATABILITY_PCT = 10;

/** The model's own findings for the wound of the subject: the outline where its sender said that it lies, else the largest. */
export function findingsOf(result: WoundResult): AssessmentFindings {
  const mine = result.wounds[result.region === undefined ? 0 : (result.region.outline ?? -1)];
  const others = result.wounds.filter((wound) => wound !== mine);
  const otherPixels = others.reduce((sum, wound) => sum + wound.area.pixels, 0);
  const areaRepeatabilityPct = result.trace.areaRepeatabilityPct ?? DEFAULT_REPEATABILITY_PCT;
  const choice = choiceOf(result, areaRepeatabilityPct);
  const isTold = result.region !== undefined;
  return {
    photo: { widthPx: result.artifacts.mask.width, heightPx: result.artifacts.mask.height },
    woundDetected: mine !== undefined,
    outlines: mine === undefined ? [] : [mine.contour],
    outlineSource: 'model',
    otherOutlines: others.length,
    ...(choice === null ? {} : { outlineChoice: choice }),
    ...woundsInPhoto(result, (wound) => wound === mine),
    ambiguous: mine !== undefined && !isTold && otherPixels > OTHER_OUTLINES_SHARE * mine.area.pixels,
    figures: mine === undefined ? null : figuresOf(mine),
    tissue: mine?.tissue ?? null,
    confirmedTissues: [],
    push: result.scores?.push ?? null,
    confidence: mine?.confidence ?? null,
    quality: result.quality,
    scale: result.scale,
    areaRepeatabilityPct,
    model: outlineModelOf(result.trace.models),
    familiarity: result.familiarity ?? null,
  };
}

function choiceOf({ region, wounds }: WoundResult, repeatabilityPct: number): OutlineChoice | null {
  if (region !== undefined) return region.outline === null ? 'no_wound_in_region' : 'region';
  const areas = wounds.map(({ area }) => area);
  return haveLikeSize(areas, repeatabilityPct) ? 'like_outlines' : null;
}

/** Every outline of the result, where there are several. */
export function woundsInPhoto(
  { wounds }: Pick<WoundResult, 'wounds'>,
  counts: (wound: WoundMeasurement) => boolean,
): Pick<AssessmentFindings, 'wounds'> {
  if (wounds.length < 2) return {};
  return {
    wounds: wounds.map((wound) => ({
      number: wound.index + 1,
      counted: counts(wound),
      figures: figuresOf(wound),
      confidence: wound.confidence,
      tissue: wound.tissue,
    })),
  };
}

/** The measures alone. */
export function figuresOf(measured: WoundFigures): WoundFigures {
  return { area: measured.area, ...perLength((measure) => measured[measure]) };
}

/**
 * Why a photo gives no area for the wound's series. `day_unknown`: no more than the month or year of the photo was stated. `awaiting_confirmation`: a person has to look first (`SeriesComparison.attention`);
 * `superseded`: another analysis of the same photo stands. `withdrawn`: a person rejected or reassigned it while it waited.
 */
export const NO_TREND_REASONS = [
  'no_wound_outlined',
  'multiple_outlines',
  'no_scale',
  'day_unknown',
  'awaiting_confirmation',
  'superseded',
  'withdrawn',
] as const;
export type NoTrendReason = (typeof NO_TREND_REASONS)[number];

/** Why the photo itself gives no area; null: it does. */
export function noTrendReasonOf({
  figures,
  ambiguous,
}: Pick<AssessmentFindings, 'figures' | 'ambiguous'>): NoTrendReason | null {
  if (figures === null) return 'no_wound_outlined';
  if (ambiguous) return 'multiple_outlines';
  return figures.area.cm2 === null ? 'no_scale' : null;
}
