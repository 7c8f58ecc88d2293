import { mean, median } from './order-statistics.js';

export interface AreaPair {
  readonly labelledPx: number;
  readonly measuredPx: number;
}

/** All relative to the labelled area. */
interface AreaError {
  readonly medianAbsolute: number | null;
  readonly meanAbsolute: number | null;
  /** Signed: above 0 where the measured area is too large. */
  readonly medianBias: number | null;
  readonly meanBias: number | null;
}

/** Of pictures with a label; a wound that was not found counts with its whole area. */
export function areaError(pairs: readonly AreaPair[]): AreaError {
  const signed = pairs.map(({ labelledPx, measuredPx }) => (measuredPx - labelledPx) / labelledPx);
  const absolute = signed.map(Math.abs);
  return {
    medianAbsolute: median(absolute),
    meanAbsolute: mean(absolute),
    medianBias: median(signed),
    meanBias: mean(signed),
  };
}
