/** The rectangle of the photo inside a letterboxed map, in map pixels. */
export interface ContentRegion {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A model's wound probability for each pixel of its input, 0..1, row by row. */
export interface ProbabilityMap {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
  readonly content: ContentRegion;
}

/** Size of the oriented photo. */
export interface PhotoSize {
  readonly widthPx: number;
  readonly heightPx: number;
}
