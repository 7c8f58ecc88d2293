import type { ClinicianObservations } from '../analysis/clinician-observations.js';
import type { Bounds, PixelPolygon, WoundFigures, WoundResult } from '../measurement/wound-result.js';
import { SuturaError } from '../errors/sutura-error.js';
import { contourFault } from '../measurement/contour-check.js';
import { inPixels, showsImpossibleArea } from '../measurement/implausible-scale.js';
import { NINETY_PERCENT } from '../measurement/interval.js';
import { MEASURE_TABLE, perLength, type LengthMeasure, type Measure } from '../measurement/measures.js';
import { measureOutline, PIXEL_DIGITS, type Measures } from '../measurement/measure-wounds.js';
import { mapOutline, type Outline } from '../measurement/outline.js';
import { planeScaleOf } from '../measurement/plane-scale.js';
import { pushScore } from './push-score.js';
import { perTissue, PUSH_TISSUES, TISSUE_TABLE, TISSUES, type PushTissue, type Tissue } from '../tissue/tissues.js';
import { figuresOf, woundsInPhoto, type AssessmentFindings } from './assessment.js';

/** A person's change to an assessment: a contour or a choice of the outlines found, and the tissue. */
export interface Correction {
  /** In pixels of the oriented photo. */
  readonly contour?: readonly PixelPolygon[] | undefined;
  /** Indices into the result's wounds. */
  readonly outlines?: readonly number[] | undefined;
  /** Shares of the wound bed. */
  readonly tissue?: Readonly<Record<Tissue, number>> | undefined;
}

/**
 * One standard deviation of an area that one expert outlines, in %: from 17 photos of the training data that two experts outlined
 * independently (docs/follow-up.md).
 */
export const EXPERT_AREA_PCT = 8.7;
const SUM_SLACK = 0.01;

/**
 * The findings after a person's correction, measured by the same functions as the model's outlines.
 * `request.invalid` with the field where the correction does not fit the photo or the result.
 */
export function correctFindings(
  findings: AssessmentFindings,
  result: WoundResult,
  { contour, outlines, tissue }: Correction,
  observations: ClinicianObservations | null,
): AssessmentFindings {
  if (contour !== undefined && outlines !== undefined)
    throw refusal('/outlines', 'give a contour or the outlines that belong, not both');
  if (contour === undefined && outlines === undefined && tissue === undefined)
    throw refusal('/decision', 'a correction needs a contour, outlines or tissue');
  const outlined =
    contour !== undefined
      ? withPlausibleScale(withContour(findings, result, contour), result)
      : outlines !== undefined
        ? withPlausibleScale(withOutlines(findings, result, outlines), result)
        : findings;
  return tissue === undefined ? outlined : withTissue(outlined, tissue, observations);
}

/** With the scale of the result, unless by it the wound would be larger than a body allows. */
function withPlausibleScale(findings: AssessmentFindings, { scale, quality }: WoundResult): AssessmentFindings {
  if (findings.figures === null || !showsImpossibleArea([findings.figures])) return { ...findings, scale, quality };
  return {
    ...findings,
    figures: inPixels(findings.figures),
    ...(findings.wounds === undefined
      ? {}
      : { wounds: findings.wounds.map((wound) => ({ ...wound, figures: inPixels(wound.figures) })) }),
    scale: { ...scale, source: 'none', mmPerPixel: null, uncertaintyPct: null, pixelToMm: null },
    quality: { ...quality, warnings: [...quality.warnings, 'scale_implausible'] },
  };
}

function withContour(
  findings: AssessmentFindings,
  result: WoundResult,
  contour: readonly PixelPolygon[],
): AssessmentFindings {
  const fault = contourFault(contour, findings.photo);
  if (fault !== null) throw refusal('/contour', fault);
  const scale = planeScaleOf(result.scale);
  const share = (NINETY_PERCENT * EXPERT_AREA_PCT) / 100;
  const measured = contour
    .map((polygon) => measureOutline(toOutline(polygon), { below: share, above: share }, scale))
    .sort((a, b) => b.area.pixels - a.area.pixels);
  const { wounds: _found, ...rest } = findings;
  return {
    ...belonging(
      rest,
      measured.map(figuresOf),
      measured.map((measures) => measures.contour),
    ),
    ...drawnWounds(measured),
    outlineSource: 'reviewer_contour',
    confidence: null,
    areaRepeatabilityPct: EXPERT_AREA_PCT,
    otherOutlines: 0,
  };
}

/** Those that a person drew, where there are several: what the software found besides is not the person's word. */
function drawnWounds(measured: readonly Measures[]): Pick<AssessmentFindings, 'wounds'> {
  if (measured.length < 2) return {};
  const toWound = (measures: Measures, index: number) => ({
    number: index + 1,
    counted: true,
    figures: figuresOf(measures),
    confidence: null,
    tissue: null,
  });
  return { wounds: measured.map(toWound) };
}

function withOutlines(
  findings: AssessmentFindings,
  result: WoundResult,
  indices: readonly number[],
): AssessmentFindings {
  const chosen = [...new Set(indices)].sort((a, b) => a - b).map((index) => result.wounds[index]);
  const known = chosen.flatMap((wound) => (wound === undefined ? [] : [wound]));
  if (known.length === 0 || known.length < chosen.length)
    throw refusal('/outlines', `the result has the outlines 0 to ${result.wounds.length - 1}`);
  const all = belonging(
    findings,
    known.map(figuresOf),
    known.map(({ contour }) => contour),
  );
  // Shares are of one outline's bed; of several nobody measured them together.
  const tissue = known.length === 1 ? known[0]!.tissue : null;
  return {
    ...all,
    ...woundsInPhoto(result, (wound) => known.includes(wound)),
    outlineSource: 'reviewer_choice',
    otherOutlines: result.wounds.length - known.length,
    confidence: known[0]!.confidence,
    tissue,
  };
}

/** The findings with these outlines, largest first. The model's tissue shares were of its own outline and do not pass over. */
function belonging(
  findings: AssessmentFindings,
  each: readonly WoundFigures[],
  outlines: readonly PixelPolygon[],
): AssessmentFindings {
  const largest = each[0]!;
  const areas = each.map(({ area }) => area);
  const area = {
    pixels: totalPixels(areas),
    pixelBounds: totalBounds(
      areas.map(({ pixelBounds }) => pixelBounds),
      PIXEL_DIGITS,
    ),
    cm2: totalMeasured(
      areas.map(({ cm2 }) => cm2),
      'area',
    ),
  };
  const lengthOf = (measure: LengthMeasure) => {
    if (MEASURE_TABLE[measure].ofSeveral === 'largest') return largest[measure];
    const lengths = each.map((figures) => figures[measure]);
    return {
      pixels: totalPixels(lengths),
      cm: totalMeasured(
        lengths.map(({ cm }) => cm),
        measure,
      ),
    };
  };
  return {
    ...findings,
    woundDetected: true,
    ambiguous: false,
    outlines,
    figures: { area, ...perLength(lengthOf) },
    tissue: null,
    confirmedTissues: [],
    push: findings.push === null ? null : pushScoreWithout(findings.push),
  };
}

function pushScoreWithout(push: NonNullable<AssessmentFindings['push']>): NonNullable<AssessmentFindings['push']> {
  if (push.tissue === null) return push;
  return { ...push, tissue: null, total: null, missing: [...push.missing, 'tissue'] };
}

function withTissue(
  findings: AssessmentFindings,
  shares: Readonly<Record<Tissue, number>>,
  observations: ClinicianObservations | null,
): AssessmentFindings {
  if (findings.figures === null)
    throw refusal('/tissue', 'there is no outline whose tissue could be stated; give a contour as well');
  const sum = TISSUES.reduce((all, name) => all + shares[name], 0);
  if (TISSUES.some((name) => shares[name] < 0) || Math.abs(sum - 1) > SUM_SLACK)
    throw refusal('/tissue', 'shares must be 0 or more, and 1 together');
  const rounded = roundedToOne(TISSUES.map((name) => shares[name] / sum));
  const tissue = {
    ...perTissue((name) => rounded[TISSUES.indexOf(name)]!),
    method: perTissue(() => 'clinician' as const),
  };
  const push = findings.push === null ? null : pushScore(observations, worstOf(shares));
  return { ...findings, tissue, confirmedTissues: [...TISSUES], push };
}

/** The worst type that is there; null where the PUSH Tool knows none of it. */
function worstOf(shares: Readonly<Record<Tissue, number>>): PushTissue | null {
  const present = TISSUES.filter((name) => shares[name] > 0).map((name) => TISSUE_TABLE[name].push);
  return PUSH_TISSUES.findLast((type) => present.includes(type)) ?? null;
}

/** Three digits each; the largest takes what rounding leaves, so that they are 1 together. */
function roundedToOne(shares: readonly number[]): number[] {
  const thousandths = shares.map((share) => Math.round(share * 1000));
  const rest = 1000 - thousandths.reduce((sum, value) => sum + value, 0);
  const largest = thousandths.indexOf(Math.max(...thousandths));
  return thousandths.map((value, index) => (index === largest ? value + rest : value) / 1000);
}

function toOutline({ coordinates }: PixelPolygon): Outline {
  const [outer, ...holes] = coordinates.map((ring) => ring.slice(1));
  return mapOutline({ outer: outer!, holes, area: 0 }, (point) => point);
}

/** Bounds of a sum whose parts err together. */
function totalBounds(parts: readonly Bounds[], digits: number): Bounds {
  return {
    lower: total(
      parts.map(({ lower }) => lower),
      digits,
    ),
    upper: total(
      parts.map(({ upper }) => upper),
      digits,
    ),
  };
}

function totalPixels(parts: readonly { readonly pixels: number }[]): number {
  return total(
    parts.map(({ pixels }) => pixels),
    PIXEL_DIGITS,
  );
}

function totalMeasured(
  parts: readonly (({ readonly value: number } & Bounds) | null)[],
  measure: Measure,
): ({ value: number } & Bounds) | null {
  const known = parts.flatMap((part) => (part === null ? [] : [part]));
  if (known.length < parts.length) return null;
  const { digits } = MEASURE_TABLE[measure];
  return {
    value: total(
      known.map(({ value }) => value),
      digits,
    ),
    ...totalBounds(known, digits),
  };
}

/** Of figures already rounded: keeps the sum free of binary residue. */
function total(values: readonly number[], digits: number): number {
  const factor = 10 ** digits;
  return Math.round(values.reduce((sum, value) => sum + value, 0) * factor) / factor;
}

function refusal(pointer: string, detail: string): SuturaError {
  return new SuturaError('request.invalid', { errors: [{ pointer, detail }] });
}
