import { mean } from '../metrics/order-statistics.js';
import type { TableLine } from './text-table.js';

/** A photo with the duration of its analysis. */
export interface TimedCase {
  /** From the photo's bytes to its figures, in milliseconds. */
  readonly analyseMs: number;
  /** The same, step by step, as the result's trace has it. */
  readonly stepsMs: Readonly<Record<string, number>>;
}

/** Photos one after another in one process; reading files and comparing are not part of it. */
export interface Speed {
  readonly imagesPerSecond: number | null;
  readonly msPerImage: number | null;
  /** Mean over the photos that had the step. */
  readonly stepsMs: Readonly<Record<string, number>>;
}

export function speedOf(cases: readonly TimedCase[]): Speed {
  const msPerImage = mean(cases.map(({ analyseMs }) => analyseMs));
  const steps = [...new Set(cases.flatMap(({ stepsMs }) => Object.keys(stepsMs)))];
  const meanOfStep = (step: string) => mean(cases.flatMap(({ stepsMs }) => stepsMs[step] ?? [])) ?? 0;
  return {
    imagesPerSecond: msPerImage === null || msPerImage === 0 ? null : 1000 / msPerImage,
    msPerImage,
    stepsMs: Object.fromEntries(steps.map((step) => [step, meanOfStep(step)])),
  };
}

/** The speed as lines of the table. */
export function speedLines({ imagesPerSecond, msPerImage, stepsMs }: Speed): TableLine[] {
  const inMs = (value: number | null) => (value === null ? '–' : `${value.toFixed(1)} ms`);
  return [
    ['Images per second', imagesPerSecond === null ? '–' : imagesPerSecond.toFixed(2)],
    ['One image', inMs(msPerImage)],
    ...Object.entries(stepsMs).map(([step, ms]): TableLine => [`… ${step.replace(/Ms$/, '')}`, inMs(ms)]),
  ];
}
