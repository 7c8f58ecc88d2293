/** Pixels always mean pixels of the oriented photo: as uploaded, after its EXIF orientation. */
export type PixelPoint = readonly [x: number, y: number];

/** GeoJSON Polygon (RFC 7946 3.1.6) in pixels: the outer ring first, then holes; each ring is closed. */
export interface PixelPolygon {
  readonly type: 'Polygon';
  readonly coordinates: readonly (readonly PixelPoint[])[];
}

export interface MeasuredCm {
  readonly value: number;
}

export interface MeasuredCm2 {
  readonly value: number;
}

export interface MeasuredLength {
  readonly pixels: number;
  /** null where the photo has no scale: nothing is invented. */
  readonly cm: MeasuredCm | null;
}

export interface MeasuredArea {
  readonly pixels: number;
  readonly cm2: MeasuredCm2 | null;
}

export interface BoundingBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface WoundMeasurement {
  /** 0 is the largest outline: the wound of `subject`. */
  readonly index: number;
  readonly boundingBox: BoundingBox;
  readonly contour: PixelPolygon;
  readonly area: MeasuredArea;
  /** Greatest distance across the outline. */
  readonly length: MeasuredLength;
  /** Greatest extent perpendicular to `length`. */
  readonly width: MeasuredLength;
  /** Length of the outer ring. */
  readonly perimeter: MeasuredLength;
}

export type QualityWarning = 'no_scale' | 'touches_edge' | 'no_wound' | 'multiple_outlines';

export interface ScaleUsed {
  readonly source: 'client' | 'none';
  readonly mmPerPixel: number | null;
}

export interface ModelUsed {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
  /** The card says research and evaluation only. */
  readonly researchOnly: boolean;
}

export interface AnalysisTrace {
  readonly models: readonly ModelUsed[];
  readonly executionProvider: string;
  readonly preprocessing: { readonly inputWidth: number; readonly inputHeight: number; readonly resize: 'letterbox'; readonly colorSpace: 'srgb' };
  readonly thresholds: { readonly probability: number; readonly minAreaShare: number };
  readonly timingsMs: Readonly<Record<string, number>>;
}

/** A picture made from the analysis; its address belongs to the door and is added there. */
export interface ArtifactInfo {
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
}

export const ARTIFACT_NAMES = ['mask', 'overlay'] as const;
export type ArtifactName = (typeof ARTIFACT_NAMES)[number];

/** What a completed job says, schemaVersion 1.0 (contract, "The result"). Fields that no model fills yet are absent. */
export interface WoundResult {
  readonly schemaVersion: '1.0';
  readonly woundDetected: boolean;
  readonly quality: { readonly warnings: readonly QualityWarning[] };
  readonly scale: ScaleUsed;
  readonly wounds: readonly WoundMeasurement[];
  readonly totals: { readonly woundCount: number; readonly areaPixels: number; readonly areaCm2: number | null };
  readonly scores: null;
  readonly followUp: null;
  readonly artifacts: Readonly<Record<ArtifactName, ArtifactInfo>>;
  readonly trace: AnalysisTrace;
}
