import type { ModelUsed } from '../../../src/core/measurement/wound-result.js';
import { areaError, type AreaPair } from '../metrics/area-error.js';
import { LEVEL, RESAMPLES, SEED, estimate, type Estimate } from '../metrics/bootstrap.js';
import {
  calibrationBins,
  expectedCalibrationError,
  type CalibrationBin,
  type Statement,
} from '../metrics/calibration.js';
import { mean, median } from '../metrics/order-statistics.js';
import { dice, intersectionOverUnion, pooled, precision, recall, type Overlap } from '../metrics/overlap.js';
import { SIZE_CLASSES, areaAtReferencePx, isWithin, type SizeClass } from '../metrics/size-class.js';
import { speedOf, type Speed, type TimedCase } from '../report/speed.js';
import type { JudgedBounds, WoundComparison } from './wound-case.js';

/** One photo of an evaluation: its figures and what they took. */
export interface WoundCase extends WoundComparison, TimedCase {
  readonly id: string;
}

interface Calibration {
  readonly count: number;
  readonly expectedCalibrationError: Estimate;
  readonly bins: readonly CalibrationBin[];
}

/** The machine form of `npm run evaluate`; every field is described in docs/evaluation.md. Fields may be added, never renamed. */
export interface WoundReport {
  readonly schemaVersion: '1.0';
  readonly task: 'wound-segmentation';
  readonly models: readonly ModelUsed[];
  readonly executionProvider: string;
  readonly pictures: {
    readonly count: number;
    readonly labelled: number;
    readonly missed: number;
    readonly emptyLabel: number;
    readonly emptyLabelStayedEmpty: number;
  };
  readonly dice: { readonly dataSet: Estimate; readonly mean: Estimate };
  readonly iou: { readonly dataSet: Estimate; readonly mean: Estimate };
  readonly precision: Estimate;
  readonly recall: Estimate;
  readonly hausdorff95: {
    readonly pictures: number;
    readonly meanPx: Estimate;
    readonly medianPx: Estimate;
    readonly meanShareOfDiagonal: Estimate;
  };
  readonly areaError: { readonly pictures: number } & Readonly<
    Record<'medianAbsolute' | 'meanAbsolute' | 'medianBias' | 'meanBias', Estimate>
  >;
  readonly areaBounds: {
    readonly labelledWounds: number;
    readonly outlinedWounds: number;
    readonly coverage: Estimate;
    readonly coverageOfOutlined: Estimate;
    readonly medianHalfWidth: Estimate;
    readonly bySize: readonly (SizeClass & BoundsFigures)[];
  };
  readonly confidence: { readonly outlines: Calibration; readonly photos: Calibration };
  readonly diceBySize: readonly (SizeClass & { readonly pictures: number; readonly meanDice: Estimate })[];
  readonly speed: Speed;
  readonly bootstrap: { readonly resamples: number; readonly level: number; readonly seed: number };
  readonly cases: readonly CaseLine[];
}

/** Of outlined wounds. */
interface BoundsFigures {
  readonly outlinedWounds: number;
  readonly coverageOfOutlined: Estimate;
  /** As a share of the outline's area. */
  readonly medianHalfWidth: Estimate;
}

interface CaseLine {
  readonly id: string;
  readonly dice: number | null;
  readonly hausdorff95Px: number | null;
  readonly labelledPx: number;
  readonly foundPx: number;
  readonly measuredAreaPx: number;
  readonly outlines: number;
}

/** All figures of a set of photos. A figure that is not defined for them is null. */
export function summariseWounds(
  cases: readonly WoundCase[],
  models: readonly ModelUsed[],
  executionProvider: string,
): WoundReport {
  const labelled = cases.filter(({ overlap }) => overlap.labelledPx > 0);
  const empty = cases.filter(({ overlap }) => overlap.labelledPx === 0);
  const ofAll = (figure: (overlap: Overlap) => number | null) =>
    estimate(cases, (drawn) => figure(pooled(drawn.map(({ overlap }) => overlap))));
  const ofLabelled = (figure: (overlap: Overlap) => number | null) =>
    estimate(labelled, (drawn) => mean(drawn.map(({ overlap }) => figure(overlap) ?? 0)));
  return {
    schemaVersion: '1.0',
    task: 'wound-segmentation',
    models,
    executionProvider,
    pictures: {
      count: cases.length,
      labelled: labelled.length,
      missed: labelled.filter(({ overlap }) => overlap.foundPx === 0).length,
      emptyLabel: empty.length,
      emptyLabelStayedEmpty: empty.filter(({ overlap }) => overlap.foundPx === 0).length,
    },
    dice: { dataSet: ofAll(dice), mean: ofLabelled(dice) },
    iou: { dataSet: ofAll(intersectionOverUnion), mean: ofLabelled(intersectionOverUnion) },
    precision: ofAll(precision),
    recall: ofAll(recall),
    hausdorff95: hausdorffOf(cases),
    areaError: areaErrorOf(labelled),
    areaBounds: boundsOf(cases),
    confidence: {
      outlines: calibrationOf(cases, ({ outlines }) => outlines),
      photos: calibrationOf(cases, ({ detection }) => [detection]),
    },
    diceBySize: SIZE_CLASSES.map((size) => diceOfSize(labelled, size)),
    speed: speedOf(cases),
    bootstrap: { resamples: RESAMPLES, level: LEVEL, seed: SEED },
    cases: cases.map(toCaseLine),
  };
}

function hausdorffOf(cases: readonly WoundCase[]): WoundReport['hausdorff95'] {
  const measured = cases.flatMap(({ hausdorff95Px: px, photo }) =>
    px === null ? [] : [{ px, share: px / Math.hypot(photo.widthPx, photo.heightPx) }],
  );
  return {
    pictures: measured.length,
    meanPx: estimate(measured, (drawn) => mean(drawn.map(({ px }) => px))),
    medianPx: estimate(measured, (drawn) => median(drawn.map(({ px }) => px))),
    meanShareOfDiagonal: estimate(measured, (drawn) => mean(drawn.map(({ share }) => share))),
  };
}

function areaErrorOf(labelled: readonly WoundCase[]): WoundReport['areaError'] {
  const pairs = labelled.map(({ overlap, measuredAreaPx }): AreaPair => ({
    labelledPx: overlap.labelledPx,
    measuredPx: measuredAreaPx,
  }));
  const of = (name: 'medianAbsolute' | 'meanAbsolute' | 'medianBias' | 'meanBias') =>
    estimate(pairs, (drawn) => areaError(drawn)[name]);
  return {
    pictures: pairs.length,
    medianAbsolute: of('medianAbsolute'),
    meanAbsolute: of('meanAbsolute'),
    medianBias: of('medianBias'),
    meanBias: of('meanBias'),
  };
}

function boundsOf(cases: readonly WoundCase[]): WoundReport['areaBounds'] {
  const ofAll = cases.map((one) => ({ judged: judgedBounds(one), missed: one.missedWounds }));
  return {
    labelledWounds: ofAll.reduce((total, { judged, missed }) => total + judged.length + missed, 0),
    coverage: estimate(ofAll, (drawn) =>
      mean(drawn.flatMap(({ judged, missed }) => [...judged.map(held), ...new Array<number>(missed).fill(0)])),
    ),
    ...boundsFigures(ofAll.map(({ judged }) => judged)),
    bySize: SIZE_CLASSES.map((size) => ({
      ...size,
      ...boundsFigures(cases.map((one) => judgedBounds(one).filter(isOfSize(one, size)))),
    })),
  };
}

/** Wounds of one photo are not independent, so photos are resampled and not wounds. */
function boundsFigures(ofPhotos: readonly (readonly JudgedBounds[])[]): BoundsFigures {
  const some = ofPhotos.filter((judged) => judged.length > 0);
  return {
    outlinedWounds: some.flat().length,
    coverageOfOutlined: estimate(some, (drawn) => mean(drawn.flat().map(held))),
    medianHalfWidth: estimate(some, (drawn) => median(drawn.flat().map(({ halfWidth }) => halfWidth))),
  };
}

function judgedBounds({ outlines }: WoundCase): JudgedBounds[] {
  return outlines.flatMap(({ bounds }) => (bounds === null ? [] : [bounds]));
}

function held({ hold }: JudgedBounds): number {
  return hold ? 1 : 0;
}

function isOfSize({ photo }: WoundCase, size: SizeClass): (bounds: JudgedBounds) => boolean {
  return ({ labelledPx }) => isWithin(size, areaAtReferencePx(labelledPx, photo.widthPx, photo.heightPx));
}

function calibrationOf(cases: readonly WoundCase[], read: (one: WoundCase) => readonly Statement[]): Calibration {
  const statements = cases.flatMap(read);
  return {
    count: statements.length,
    expectedCalibrationError: estimate(cases, (drawn) => expectedCalibrationError(drawn.flatMap(read))),
    bins: calibrationBins(statements),
  };
}

function diceOfSize(labelled: readonly WoundCase[], size: SizeClass): WoundReport['diceBySize'][number] {
  const within = labelled.filter(({ overlap, photo }) =>
    isWithin(size, areaAtReferencePx(overlap.labelledPx, photo.widthPx, photo.heightPx)),
  );
  return {
    ...size,
    pictures: within.length,
    meanDice: estimate(within, (drawn) => mean(drawn.map(({ overlap }) => dice(overlap) ?? 0))),
  };
}

function toCaseLine({ id, overlap, hausdorff95Px, measuredAreaPx, outlines }: WoundCase): CaseLine {
  const { labelledPx, foundPx } = overlap;
  return { id, dice: dice(overlap), hausdorff95Px, labelledPx, foundPx, measuredAreaPx, outlines: outlines.length };
}
