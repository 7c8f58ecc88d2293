import type { ModelUsed } from '../../../src/core/measurement/wound-result.js';
import { LEVEL, RESAMPLES, SEED, estimate, type Estimate } from '../metrics/bootstrap.js';
import { overlapOfClass, pooledConfusion, type ClassConfusion } from '../metrics/class-confusion.js';
import { mean } from '../metrics/order-statistics.js';
import { dice } from '../metrics/overlap.js';
import { speedOf, type Speed, type TimedCase } from '../report/speed.js';

/** The classes of experts' tissue masks, by value. */
export const LABELLED_CLASSES = ['background', 'slough', 'granulation', 'callus'] as const;

/** The tissues among them: every class but the background. */
export const TISSUE_NAMES = ['slough', 'granulation', 'callus'] as const;

/** The labelled classes, and behind them those that only the model knows. */
export function classesOf(modelClasses: readonly string[]): string[] {
  return [
    ...LABELLED_CLASSES,
    ...modelClasses.filter((name) => !(LABELLED_CLASSES as readonly string[]).includes(name)),
  ];
}

/** One picture of an evaluation. */
export interface TissueCase extends TimedCase {
  readonly id: string;
  /** Of the classes that `classesOf` lists. */
  readonly confusion: ClassConfusion;
}

/** The machine form of `npm run evaluate -- --tissue`; every field is described in docs/evaluation.md. Fields may be added, never renamed. */
export interface TissueReport {
  readonly schemaVersion: '1.0';
  readonly task: 'tissue-segmentation';
  readonly models: readonly ModelUsed[];
  readonly executionProvider: string;
  readonly pictures: { readonly count: number };
  /** For each tissue, over all pixels pooled and as the mean over pictures that have it labelled. */
  readonly dice: Readonly<
    Record<string, { readonly pictures: number; readonly dataSet: Estimate; readonly mean: Estimate }>
  >;
  /** Mean of the tissues' pooled figures. */
  readonly meanDice: Estimate;
  /** Slough and granulation as one. */
  readonly woundBedDice: Estimate;
  /** Pixels: a row for each labelled class, a column for each found one. */
  readonly confusion: { readonly classes: readonly string[]; readonly rows: readonly (readonly number[])[] };
  readonly speed: Speed;
  readonly bootstrap: { readonly resamples: number; readonly level: number; readonly seed: number };
  readonly cases: readonly { readonly id: string; readonly meanDice: number | null }[];
}

const WOUND_BED = [LABELLED_CLASSES.indexOf('slough'), LABELLED_CLASSES.indexOf('granulation')];

/** Mean of the pooled Dice of the tissues that are labelled in these pictures; null where none is. */
export function meanTissueDice(confusions: readonly ClassConfusion[]): number | null {
  const all = pooledConfusion(confusions, confusions[0]?.classes ?? LABELLED_CLASSES.length);
  return mean(TISSUE_NAMES.flatMap((name) => diceOfLabelled(all, LABELLED_CLASSES.indexOf(name)) ?? []));
}

/** `classes` names the rows and columns of the cases' confusions. */
export function summariseTissue(
  cases: readonly TissueCase[],
  classes: readonly string[],
  models: readonly ModelUsed[],
  executionProvider: string,
): TissueReport {
  const all = pooledConfusion(
    cases.map(({ confusion }) => confusion),
    classes.length,
  );
  const pooledOver = (figure: (confusion: ClassConfusion) => number | null) =>
    estimate(cases, (drawn) =>
      figure(
        pooledConfusion(
          drawn.map(({ confusion }) => confusion),
          classes.length,
        ),
      ),
    );
  return {
    schemaVersion: '1.0',
    task: 'tissue-segmentation',
    models,
    executionProvider,
    pictures: { count: cases.length },
    dice: Object.fromEntries(
      TISSUE_NAMES.map((name) => {
        const index = LABELLED_CLASSES.indexOf(name);
        const dataSet = pooledOver((confusion) => diceOfLabelled(confusion, index));
        return [name, tissueDice(cases, index, dataSet)];
      }),
    ),
    meanDice: estimate(cases, (drawn) => meanTissueDice(drawn.map(({ confusion }) => confusion))),
    woundBedDice: pooledOver(woundBedDice),
    confusion: {
      classes,
      rows: classes.map((_, row) => all.counts.slice(row * classes.length, (row + 1) * classes.length)),
    },
    speed: speedOf(cases),
    bootstrap: { resamples: RESAMPLES, level: LEVEL, seed: SEED },
    cases: cases.map(({ id, confusion }) => ({ id, meanDice: meanTissueDice([confusion]) })),
  };
}

function tissueDice(cases: readonly TissueCase[], index: number, dataSet: Estimate): TissueReport['dice'][string] {
  const labelled = cases.filter(({ confusion }) => overlapOfClass(confusion, index).labelledPx > 0);
  const perPicture = estimate(labelled, (drawn) =>
    mean(drawn.map(({ confusion }) => diceOfLabelled(confusion, index) ?? 0)),
  );
  return { pictures: labelled.length, dataSet, mean: perPicture };
}

/** null where the class is not labelled at all. */
function diceOfLabelled(confusion: ClassConfusion, index: number): number | null {
  const overlap = overlapOfClass(confusion, index);
  return overlap.labelledPx === 0 ? null : dice(overlap);
}

function woundBedDice({ classes, counts }: ClassConfusion): number | null {
  let [labelledPx, foundPx, sharedPx] = [0, 0, 0];
  counts.forEach((count, cell) => {
    const isLabelled = WOUND_BED.includes(Math.floor(cell / classes));
    const isFound = WOUND_BED.includes(cell % classes);
    if (isLabelled) labelledPx += count;
    if (isFound) foundPx += count;
    if (isLabelled && isFound) sharedPx += count;
  });
  return dice({ labelledPx, foundPx, sharedPx });
}
