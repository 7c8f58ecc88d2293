/** The service adds states over time: one that you do not know counts as still running. */
export type JobStatus = 'queued' | 'processing' | 'completed' | 'error' | (string & Record<never, never>);

/** A code from a terminology. */
export interface CodedConcept {
  /** URI of the code system, for example http://snomed.info/sct. */
  system?: string;
  code?: string;
  display?: string;
}

/** Which wound of whom, in your own terms. */
export interface JobSubject {
  patientId?: string;
  /** URI of the numbering that patientId belongs to; absent: your own. */
  patientSystem?: string;
  /** Your stable identifier of the wound. */
  woundId?: string;
  woundIdSystem?: string;
  bodySite?: CodedConcept;
  laterality?: 'left' | 'right' | 'midline';
  woundType?: CodedConcept;
}

/** The scale of the photo as uploaded, after its EXIF orientation. Without it there are no centimetres. */
export interface Calibration {
  mmPerPixel: number;
}

/** Copied to the report, never guessed. */
export interface ClinicianObservations {
  depthCm?: number;
  /** Head to toe, as measured at the bedside. */
  lengthCm?: number;
  /** Side to side, as measured at the bedside. */
  widthCm?: number;
  exudate?: 'none' | 'light' | 'moderate' | 'heavy';
  /** Numeric rating scale, 0 to 10. */
  painNrs?: number;
}

/** Where and how to upload one photo. */
export interface UploadTicket {
  imageId: string;
  /** Whoever has this address may upload: do not log it. */
  uploadUrl: string;
  method: string;
  /** To be sent with the PUT, exactly as they are. */
  headers: Record<string, string>;
  expiresAt: string;
  maxBytes: number;
}

/** Of an upload that is done. */
export interface UploadReceipt {
  etag: string | null;
  sizeBytes: number;
}

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
  /** 0 is the largest outline: the wound of `subject`. */
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
  scale: ScaleUsed;
  wounds: WoundMeasurement[];
  totals: { woundCount: number; areaPixels: number; areaCm2: number | null };
  scores: { push: PushScore } | null;
  /** null where there is nothing to compare with. */
  followUp: FollowUpSummary | null;
  artifacts: { mask: ArtifactReference; overlay: ArtifactReference };
  /** Which model made this, and how. */
  trace: {
    models: ModelUsed[];
    executionProvider: string;
    preprocessing: Record<string, unknown>;
    thresholds: Record<string, unknown>;
    /** How much an area varies where the same wound is photographed anew: one standard deviation in %. */
    areaRepeatabilityPct: number | null;
    timingsMs: Record<string, number>;
  };
}

/** Why a job ended in `error`. */
export interface JobError {
  code: string;
  detail: string;
  /** True where a new job on the same photo may succeed. */
  retryable: boolean;
}

/** One analysis of one image. Times are RFC 3339. */
export interface AnalysisJob {
  id: string;
  status: JobStatus;
  imageId: string;
  clinicalContext: string | null;
  subject: JobSubject | null;
  capturedAt: string;
  calibration: Calibration | null;
  clinicianObservations: ClinicianObservations | null;
  priority: string;
  metadata: Record<string, string> | null;
  environment: string;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  attempts: number;
  /** With the status `completed`. */
  result?: WoundResult;
  /** With the status `error`. */
  error?: JobError;
  /** `report`, with the status `completed`, is what `getReport` takes. */
  links: { self: string; image?: string; report?: string; artifacts?: { mask: string; overlay: string } };
}

/** A job that has completed: the result and its report are there. */
export interface CompletedJob extends AnalysisJob {
  result: WoundResult;
  links: AnalysisJob['links'] & { report: string };
}

/** One page of jobs, newest first. */
export interface JobPage {
  items: AnalysisJob[];
  /** null on the last page. */
  nextCursor: string | null;
}

/** The analyses of today (UTC), both environments together. */
export interface Usage {
  limit: number;
  used: number;
  remaining: number;
  resetsAt: string;
}

/** Of a picture or report that was saved. */
export interface SavedArtifact {
  path: string;
  contentType: string;
  sizeBytes: number;
}
