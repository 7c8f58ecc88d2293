import type { LengthMeasure } from './measures.js';
import type { TissueComposition } from '../tissue/tissues.js';

/** The outline that a region of the photo means. */
export interface RegionChoice {
  /** Index into the result's wounds; null: none lies there. */
  readonly outline: number | null;
}

/** Pixels always mean pixels of the oriented photo: as uploaded, after its EXIF orientation. */
export type PixelPoint = readonly [x: number, y: number];

/** A straight line from end to end. */
export type PixelLine = readonly [PixelPoint, PixelPoint];

/** GeoJSON Polygon (RFC 7946 3.1.6) in pixels: the outer ring first, then holes; each ring is closed. */
export interface PixelPolygon {
  readonly type: 'Polygon';
  readonly coordinates: readonly (readonly PixelPoint[])[];
}

/** An interval that holds the true value in nine of ten cases (docs/measurement.md); never below 0. */
export interface Bounds {
  readonly lower: number;
  readonly upper: number;
}

export interface MeasuredCm extends Bounds {
  readonly value: number;
}

export interface MeasuredCm2 extends Bounds {
  readonly value: number;
}

export interface MeasuredLength {
  /** In the photo, as it lies there. */
  readonly pixels: number;
  /** On the skin's plane; null where the photo has no scale: nothing is invented. */
  readonly cm: MeasuredCm | null;
  /**
   * From end to end, in pixels of the oriented photo: what is measured on the skin's plane, else in the photo. A perimeter has none,
   * and so have results made before lines were kept.
   */
  readonly line?: PixelLine;
}

export interface MeasuredArea {
  readonly pixels: number;
  /** Uncertainty of the outline alone. */
  readonly pixelBounds: Bounds;
  /** On the skin's plane; null where the photo has no scale. Its bounds hold the outline's and the scale's uncertainty. */
  readonly cm2: MeasuredCm2 | null;
}

/** Area in `cm2`, every other measure in `cm` (core/measurement/measures.ts). */
export interface WoundFigures extends Readonly<Record<LengthMeasure, MeasuredLength>> {
  readonly area: MeasuredArea;
}

export interface BoundingBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface WoundMeasurement extends WoundFigures {
  /** 0 is the largest outline: the wound of `subject`, unless the result has a `region`. */
  readonly index: number;
  /** Probability that an expert outlines a wound here (overlap, intersection over union, of one half or more). */
  readonly confidence: number;
  readonly boundingBox: BoundingBox;
  readonly contour: PixelPolygon;
  /** null where no tissue model is in use. */
  readonly tissue: TissueComposition | null;
}

export const QUALITY_WARNINGS = [
  'blurred',
  'under_exposed',
  'over_exposed',
  'glare',
  'no_scale',
  'touches_edge',
  'no_wound',
  'open_wounds_only',
  'multiple_outlines',
  'low_resolution',
  'unfamiliar',
  'oblique',
  'marker_refused',
  'scale_mismatch',
  'scale_implausible',
  'uncertain',
  'captured_at_from_photo',
  'camera_time_unused',
  'outline_unlikely',
] as const;
export type QualityWarning = (typeof QUALITY_WARNINGS)[number];

export interface PhotoQuality {
  /** False where another photo should be taken; this one was analysed all the same. */
  readonly acceptable: boolean;
  /** 0 to 1; see docs/measurement.md. */
  readonly sharpness: number;
  /** Mean lightness L* (CIE 1976), 0 to 100. */
  readonly exposure: number;
  /** Share of the photo that mirrors the lamp. */
  readonly glareShare: number;
  readonly warnings: readonly QualityWarning[];
}

/** An overlap (Dice) of 0 to 1, with the interval that held nine of ten photos. */
export interface ExpectedDice extends Bounds {
  readonly value: number;
}

/** How far the model can be trusted with this photo's outlines; `PhotoQuality` speaks of the photo alone. */
export interface Familiarity {
  /** Probability that an expert's outline overlaps with this one to a Dice of 0.7 or more. */
  readonly score: number;
  /** With an expert's outline, as photos had it whose outlines the model was as sure of. */
  readonly expectedDice: ExpectedDice;
  /** False where the outline is likely to be wrong: a person should look at it before its figures count. */
  readonly outlineReliable: boolean;
}

export type MarkerRefusal =
  | 'cut_off'
  | 'contradictory'
  | 'too_small'
  | 'too_oblique'
  | 'unknown_marker'
  | 'client_scale_given'
  | 'implausible';

/** The calibration card seen in a photo. */
export interface MarkerFinding {
  readonly status: 'used' | 'refused' | 'ignored';
  readonly card: 'a4' | 'credit_card' | null;
  readonly markerIds: readonly number[];
  /** Angle between the camera's axis and the perpendicular of the card. */
  readonly tiltDegrees: number | null;
  /** null where the card was used. */
  readonly reason: MarkerRefusal | null;
}

export interface ScaleUsed {
  /** `reviewer`: a person set it at the review, by something of known length in the photo. */
  readonly source: 'marker' | 'client' | 'reviewer' | 'none';
  /** At the centre of the largest wound, else of the photo: an oblique view has another scale at every point. */
  readonly mmPerPixel: number | null;
  /** One standard deviation of a length, in %. */
  readonly uncertaintyPct: number | null;
  /**
   * The 3x3 matrix, row by row, from pixels of the oriented photo to millimetres on the skin's plane (homogeneous coordinates);
   * what a corrected outline is measured with. null without a scale.
   */
  readonly pixelToMm: readonly number[] | null;
  /** null where no marker was seen. */
  readonly marker: MarkerFinding | null;
}

/** Sub-scores of the PUSH Tool 3.0; null where what they need was not given or not confirmed. */
export interface PushScore {
  readonly area: number | null;
  readonly tissue: number | null;
  readonly exudate: number | null;
  /** Only where all three are known. */
  readonly total: number | null;
  readonly missing: readonly PushPart[];
}

export const PUSH_PARTS = ['area', 'tissue', 'exudate'] as const;
export type PushPart = (typeof PUSH_PARTS)[number];

/** The part of a model in an analysis. */
export const MODEL_TASKS = ['wound-segmentation', 'tissue-segmentation'] as const;
export type ModelTask = (typeof MODEL_TASKS)[number];

export interface ModelUsed {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
  /** The card says research and evaluation only. */
  readonly researchOnly: boolean;
  /** Absent in results made before models declared a task: `models-used.ts` reads both. */
  readonly task?: ModelTask;
}

export interface AnalysisTrace {
  /** SHA-256 (lower-case hex) of the photo's pixels as they were decoded: the same for a copy saved anew without loss. Absent in results of older releases. */
  readonly pixelSha256?: string;
  readonly models: readonly ModelUsed[];
  readonly executionProvider: string;
  readonly preprocessing: {
    readonly inputWidth: number;
    readonly inputHeight: number;
    readonly resize: 'letterbox';
    readonly colorSpace: 'srgb';
    /** The part of the photo that the outlines were read from, where a second look was taken at a small wound; null: all of it. */
    readonly crop: BoundingBox | null;
  };
  readonly thresholds: {
    readonly probability: number;
    /** Of the photo, as it was used: in a crop smaller outlines count. */
    readonly minAreaShare: number;
    /** Novelty above which the photo is called unfamiliar; null where the model tells none. */
    readonly novelty: number | null;
  };
  /** The stored length of the check bar that the calibration card's scale was corrected by; null where none was applied. */
  readonly cardBarMm: number | null;
  /** Variation of an area between photos of the same wound: one standard deviation in %, as the model's maker measured it; null if not stated. */
  readonly areaRepeatabilityPct: number | null;
  readonly timingsMs: Readonly<Record<string, number>>;
}

/** A picture made from the analysis; its address belongs to the door and is added there. */
export interface ArtifactInfo {
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
}

export const ARTIFACT_NAMES = ['mask', 'overlay', 'tissue'] as const;
export type ArtifactName = (typeof ARTIFACT_NAMES)[number];

/** SHA-256 (lower-case hex) of stored pictures; one that is absent is not known. Kept beside the result, and no part of it. */
export type PictureDigests = Readonly<Partial<Record<ArtifactName, string>>>;

export interface Artifacts {
  readonly mask: ArtifactInfo;
  readonly overlay: ArtifactInfo;
  /** Absent where no tissue was told apart, and in results made before the map was kept. */
  readonly tissue?: ArtifactInfo;
}

/** The wound's course as it stood at one moment; its timeline has the present state. */
export interface FollowUpSummary {
  /** RFC 3339, UTC. */
  readonly asOf: string;
  readonly previousJobId: string;
  readonly daysSincePrevious: number;
  readonly areaChangePct: number;
  readonly areaChangeSinceBaselinePct: number | null;
  readonly minimalDetectableChangePct: number;
  readonly beyondDetectable: boolean;
  /** Why the two may differ though the wound did not. */
  readonly warnings: readonly string[];
}

/** The result of a completed job, schemaVersion 1.0 (contract, "The result"). */
export interface WoundResult {
  readonly schemaVersion: '1.0';
  readonly woundDetected: boolean;
  /** Probability that `woundDetected` is true of this photo. */
  readonly confidence: number;
  readonly quality: PhotoQuality;
  /** null where nothing is outlined or the model states no calibration; absent in results of older releases. */
  readonly familiarity?: Familiarity | null;
  readonly scale: ScaleUsed;
  readonly wounds: readonly WoundMeasurement[];
  /** Which outline is the wound of `subject`, by where its sender said that it lies. Absent: they did not say, and it is the largest. */
  readonly region?: RegionChoice;
  readonly totals: { readonly woundCount: number; readonly areaPixels: number; readonly areaCm2: number | null };
  /** null where the operator has not turned scores on. */
  readonly scores: { readonly push: PushScore } | null;
  /** Against the wound's earlier photos, as known when the job completed; null where the subject names no wound, or none is comparable. */
  readonly followUp: FollowUpSummary | null;
  /** Why the report waits for a person, as known when the job completed; empty: it does not. Absent in results of older releases. */
  readonly attention?: readonly string[];
  readonly artifacts: Artifacts;
  readonly trace: AnalysisTrace;
}
