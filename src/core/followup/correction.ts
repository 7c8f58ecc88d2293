import type { ClinicianObservations } from '../analysis/clinician-observations.js';
import type {
  PhotoQuality,
  PixelPolygon,
  WoundFigures,
  WoundMeasurement,
  WoundResult,
} from '../measurement/wound-result.js';
import { SuturaError } from '../errors/sutura-error.js';
import { contourFault } from '../measurement/contour-check.js';
import { inPixels, showsImpossibleArea } from '../measurement/implausible-scale.js';
import type { Measures } from '../measurement/measure-wounds.js';
import { EXPERT_AREA_PCT, inReviewersScale, measureDrawn } from '../measurement/measure-again.js';
import { planeScaleOf } from '../measurement/plane-scale.js';
import { scaleFault } from '../measurement/scale-plausibility.js';
import { pushScore } from './push-score.js';
import { perTissue, PUSH_TISSUES, TISSUE_TABLE, TISSUES, type PushTissue, type Tissue } from '../tissue/tissues.js';
import { figuresOf, woundsInPhoto, type AssessmentFindings } from './assessment.js';
import { totalOf } from './total-figures.js';

/** A person's change to an assessment: a contour or a choice of the outlines found, and the tissue. */
export interface Correction {
  /** In pixels of the oriented photo. */
  readonly contour?: readonly PixelPolygon[] | undefined;
  /** Indices into the result's wounds. */
  readonly outlines?: readonly number[] | undefined;
  /** Shares of the wound bed. */
  readonly tissue?: Readonly<Record<Tissue, number>> | undefined;
  /** The scale, as a person found it by something of known length in the photo; of the oriented photo. */
  readonly calibration?: { readonly mmPerPixel: number } | undefined;
  /** All that was stated of the wound that day, in place of what had been stated: what it leaves out is no longer stated. */
  readonly observations?: ClinicianObservations | undefined;
  /** The person was asked about a contour that is unlikely, and means it. */
  readonly confirmOutline?: boolean | undefined;
}

const SUM_SLACK = 0.01;

/**
 * The findings after a person's correction, measured by the same functions as the model's outlines. A scale that a person set stays until
 * a person sets another one.
 * `request.invalid` with the field where the correction does not fit the photo or the result, `calibration.implausible`.
 */
export function correctFindings(
  findings: AssessmentFindings,
  found: WoundResult,
  correction: Correction,
  stated: ClinicianObservations | null,
): AssessmentFindings {
  const { contour, outlines, tissue, calibration } = correction;
  const observations = correction.observations ?? stated;
  if (contour !== undefined && outlines !== undefined)
    throw refusal('/outlines', 'give a contour or the outlines that belong, not both');
  if ([contour, outlines, tissue, calibration, correction.observations].every((part) => part === undefined))
    throw refusal('/decision', 'a correction needs a contour, outlines, tissue, a calibration or observations');
  const result = inScaleOf(findings, found, calibration);
  const outlined =
    contour !== undefined
      ? withContour(findings, result, contour, correction.confirmOutline === true)
      : outlines !== undefined
        ? withOutlines(findings, result, outlines)
        : calibration !== undefined
          ? withFiguresOf(findings, result)
          : null;
  if (calibration !== undefined && outlined !== null && isTooLarge(outlined)) throw tooLargeByScale();
  const scaled = outlined === null ? findings : withPlausibleScale(outlined, result);
  if (tissue !== undefined) return withTissue(scaled, tissue, observations);
  return correction.observations === undefined ? scaled : withPushOf(scaled, observations);
}

/** The same findings, with the score that what is stated now gives. */
function withPushOf(findings: AssessmentFindings, observations: ClinicianObservations | null): AssessmentFindings {
  const { push, tissue, confirmedTissues } = findings;
  if (push === null) return findings;
  const worst = tissue === null || confirmedTissues.length < TISSUES.length ? null : worstOf(tissue);
  return { ...findings, push: pushScore(observations, worst) };
}

/** The result as a person's scale has it: this one, else the one that was set before, else the result's own. */
function inScaleOf(findings: AssessmentFindings, result: WoundResult, calibration: Correction['calibration']) {
  const earlier = findings.scale.source === 'reviewer' ? findings.scale.mmPerPixel : null;
  const mmPerPixel = calibration?.mmPerPixel ?? earlier;
  if (mmPerPixel === null) return result;
  const fault = calibration === undefined ? null : scaleFault(mmPerPixel, findings.photo);
  if (fault !== null) throw fault;
  return inReviewersScale(result, mmPerPixel);
}

/** The same outlines, by the scale of the result. */
function withFiguresOf(findings: AssessmentFindings, result: WoundResult): AssessmentFindings {
  const scale = planeScaleOf(result.scale);
  if (findings.figures === null) return findings;
  if (findings.outlineSource === 'reviewer_contour') {
    const measured = findings.outlines.map((outline) => measureDrawn(outline, scale));
    return { ...findings, figures: totalOf(measured.map(figuresOf)), ...drawnWounds(measured) };
  }
  const belongs = (wound: WoundMeasurement) =>
    findings.outlines.some((outline) => JSON.stringify(outline) === JSON.stringify(wound.contour));
  const known = result.wounds.filter(belongs);
  if (known.length === 0) throw refusal('/calibration', 'give a contour as well: the outline is of an older release');
  return { ...findings, figures: totalOf(known.map(figuresOf)), ...woundsInPhoto(result, belongs) };
}

function isTooLarge({ figures }: AssessmentFindings): boolean {
  return figures !== null && showsImpossibleArea([figures]);
}

function tooLargeByScale(): SuturaError {
  return new SuturaError('calibration.implausible', {
    detail:
      'By this scale the wound would be larger than a body allows. Look whether the distance is in millimetres or centimetres, and measure it again.',
  });
}

/** With the scale of the result, unless by it the wound would be larger than a body allows. */
function withPlausibleScale(findings: AssessmentFindings, { scale, quality }: WoundResult): AssessmentFindings {
  const isUnlikely = findings.quality.warnings.includes('outline_unlikely');
  if (findings.figures === null || !isTooLarge(findings))
    return { ...findings, scale, quality: withOutlineWarning(quality, isUnlikely) };
  return {
    ...findings,
    figures: inPixels(findings.figures),
    ...(findings.wounds === undefined
      ? {}
      : { wounds: findings.wounds.map((wound) => ({ ...wound, figures: inPixels(wound.figures) })) }),
    scale: { ...scale, source: 'none', mmPerPixel: null, uncertaintyPct: null, pixelToMm: null },
    quality: withOutlineWarning({ ...quality, warnings: [...quality.warnings, 'scale_implausible'] }, isUnlikely),
  };
}

function withContour(
  findings: AssessmentFindings,
  result: WoundResult,
  contour: readonly PixelPolygon[],
  isConfirmed: boolean,
): AssessmentFindings {
  const fault = contourFault(contour, findings.photo);
  if (fault !== null) throw refusal('/contour', fault);
  const scale = planeScaleOf(result.scale);
  const measured = contour.map((polygon) => measureDrawn(polygon, scale)).sort((a, b) => b.area.pixels - a.area.pixels);
  const { wounds: _found, ...rest } = findings;
  const isUnlikely = !isConfirmed && isOutlineUnlikely(measured, findings.photo, result);
  return {
    ...belonging(
      rest,
      measured.map(figuresOf),
      measured.map((measures) => measures.contour),
    ),
    ...drawnWounds(measured),
    quality: withOutlineWarning(findings.quality, isUnlikely),
    outlineSource: 'reviewer_contour',
    confidence: null,
    areaRepeatabilityPct: EXPERT_AREA_PCT,
    otherOutlines: 0,
  };
}

/** A hand that drew around nearly the whole photo, or around many times what was outlined, was resting on the screen more often than not. */
const MOST_OF_PHOTO = 0.8;
const MOST_TIMES_OUTLINED = 5;

function isOutlineUnlikely(
  drawn: readonly Measures[],
  { widthPx, heightPx }: AssessmentFindings['photo'],
  { wounds }: WoundResult,
): boolean {
  const areaOf = (outlines: readonly Pick<Measures, 'area'>[]) =>
    outlines.reduce((sum, { area }) => sum + area.pixels, 0);
  const area = areaOf(drawn);
  const found = areaOf(wounds);
  return area > MOST_OF_PHOTO * widthPx * heightPx || (found > 0 && area > MOST_TIMES_OUTLINED * found);
}

function withOutlineWarning(quality: PhotoQuality, isUnlikely: boolean): PhotoQuality {
  const others = quality.warnings.filter((warning) => warning !== 'outline_unlikely');
  return { ...quality, warnings: isUnlikely ? [...others, 'outline_unlikely'] : others };
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
    quality: withOutlineWarning(findings.quality, false),
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
  const { outlineChoice: _decided, ...rest } = findings;
  return {
    ...rest,
    woundDetected: true,
    ambiguous: false,
    outlines,
    figures: totalOf(each),
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

function refusal(pointer: string, detail: string): SuturaError {
  return new SuturaError('request.invalid', { errors: [{ pointer, detail }] });
}
