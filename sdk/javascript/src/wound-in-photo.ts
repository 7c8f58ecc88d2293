import type { MeasuredArea, MeasuredLength, TissueComposition } from './result.js';

export interface WoundFigures {
  area: MeasuredArea;
  length: MeasuredLength;
  width: MeasuredLength;
  perimeter: MeasuredLength;
}

/** One of several outlines of a photo. */
export interface WoundInPhoto {
  /** 1 is the largest; it stands beside the outline in pictures: `index` + 1. */
  number: number;
  /** The figures of the report are of those that count. */
  counted: boolean;
  figures: WoundFigures;
  /** null where a person drew the outline. */
  confidence: number | null;
  tissue: TissueComposition | null;
}
