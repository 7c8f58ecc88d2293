/** Where the photo lies inside a letterboxed map, in map pixels. */
export interface ContentRegion {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What a model says of each pixel of its input: wound probability 0..1, row by row. */
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
