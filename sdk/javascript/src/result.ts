/** A figure and the interval that holds the true value in nine of ten cases. */
export interface Measured {
  value: number;
  lower: number;
  upper: number;
}

/** `cm` is null where the photo has no scale: nothing is invented. */
export interface MeasuredLength {
  pixels: number;
  cm: Measured | null;
  /** The ends of a length or width, in pixels of the oriented photo. A perimeter has none, and earlier results neither. */
  line?: [[number, number], [number, number]];
}

export interface MeasuredArea {
  pixels: number;
  pixelBounds: { lower: number; upper: number };
  cm2: Measured | null;
}

export type Tissue = 'granulation' | 'slough' | 'necrosis' | 'other';

/** Shares of the wound bed, together 1, and how each was found: `model`, `cielab_rule`, `remainder` or `clinician`. */
export type TissueComposition = Record<Tissue, number> & { method: Record<Tissue, string> };

/** GeoJSON polygon in pixels of the oriented photo: the outer ring first, then holes. */
export interface PixelPolygon {
  type: 'Polygon';
  coordinates: [number, number][][];
}

/** How the photo was taken. With `acceptable: false` take another one. */
export interface PhotoQuality {
  acceptable: boolean;
  sharpness: number;
  exposure: number;
  glareShare: number;
  warnings: string[];
}

/** How far the model can be trusted with a photo; the quality speaks of the photo alone. */
export interface Familiarity {
  /** Probability that an expert's outline overlaps with this one to a Dice of 0.7 or more. */
  score: number;
  /** Overlap with an expert's outline to be expected, and the interval that held nine of ten labelled photos. */
  expectedDice: { value: number; lower: number; upper: number };
  /** false where the outline is more likely wrong than right. */
  outlineReliable: boolean;
}

/** What the centimetres are made from. */
export interface ScaleUsed {
  /** `marker`, `client` or `none`; more may come. */
  source: string;
  mmPerPixel: number | null;
  uncertaintyPct: number | null;
  /** 3x3 matrix, row by row, from pixels to millimetres on the plane of the skin (homogeneous coordinates). */
  pixelToMm: number[] | null;
  marker: Record<string, unknown> | null;
}

/** PUSH Tool 3.0, where the operator has turned it on. A part that no clinician stated is null. */
export interface PushScore {
  area: number | null;
  tissue: number | null;
  exudate: number | null;
  total: number | null;
  missing: string[];
}

/** A model that figures come from. */
export interface ModelUsed {
  name: string;
  version: string;
  sha256: string;
  researchOnly: boolean;
  /** What it did: `wound-segmentation` or `tissue-segmentation`; more may come. Results from before models said it lack it. */
  task?: string;
}

/** Against the wound's photo before, as known when the job completed; the timeline has the present state. */
export interface FollowUpSummary {
  asOf: string;
  previousJobId: string;
  daysSincePrevious: number;
  /** Below 0: smaller than then. */
  areaChangePct: number;
  areaChangeSinceBaselinePct: number | null;
  /** A smaller change may come from taking the photo anew. */
  minimalDetectableChangePct: number;
  beyondDetectable: boolean;
  warnings: string[];
}

/** One outline and its measures. */
export interface WoundMeasurement {
  /** 0 is the largest outline: the wound of `subject`. Pictures and reports number from 1: `index` + 1. */
  index: number;
  /** 0 to 1: how surely an expert would outline a wound here. */
  confidence: number;
  boundingBox: { x: number; y: number; width: number; height: number };
  contour: PixelPolygon;
  area: MeasuredArea;
  /** Greatest distance across the outline. */
  length: MeasuredLength;
  /** Greatest extent perpendicular to `length`. */
  width: MeasuredLength;
  perimeter: MeasuredLength;
  /** null without a tissue model. */
  tissue: TissueComposition | null;
}

/** A picture made from the analysis; `downloadArtifact` fetches it. */
export interface ArtifactReference {
  url: string;
  contentType: string;
  width: number;
  height: number;
}

/** What a completed job says: decision support, not a diagnosis. */
export interface WoundResult {
  schemaVersion: string;
  /** false is a finding about this photo, and never that a wound has healed. */
  woundDetected: boolean;
  /** 0 to 1: how surely `woundDetected` is right. */
  confidence: number;
  quality: PhotoQuality;
  /** null where nothing is outlined or the model states no calibration. Absent in results of older releases. */
  familiarity?: Familiarity | null;
  scale: ScaleUsed;
  wounds: WoundMeasurement[];
  /** Which outline is the wound of `subject`, by `subject.region`; null: none lies there. Absent: no region was stated. */
  region?: { outline: number | null };
  /** Over all outlines, those of other wounds too: the wound's own area is that of `wounds[0]`, or of the outline in `region`. */
  totals: { woundCount: number; areaPixels: number; areaCm2: number | null };
  scores: { push: PushScore } | null;
  /** null where there is nothing to compare with. */
  followUp: FollowUpSummary | null;
  /** Why the report waits for a person, as known when the job completed. Absent in results of older releases. */
  attention?: string[];
  /** `tissue` only where tissue was told apart. */
  artifacts: { mask: ArtifactReference; overlay: ArtifactReference; tissue?: ArtifactReference };
  /** Which model made this, and how. */
  trace: {
    /** SHA-256 of the decoded pixels. Absent in results of older releases. */
    pixelSha256?: string;
    models: ModelUsed[];
    executionProvider: string;
    preprocessing: Record<string, unknown>;
    thresholds: Record<string, unknown>;
    /** How much an area varies where the same wound is photographed anew: one standard deviation in %. */
    areaRepeatabilityPct: number | null;
    timingsMs: Record<string, number>;
  };
}
