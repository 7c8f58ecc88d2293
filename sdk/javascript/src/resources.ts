import type { WoundResult } from './result.js';

/** The service may add states: one that you do not know counts as still running. */
export type JobStatus = AnalysisJob['status'];

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
  /** Where in the photo the wound lies; for a photo that shows several. */
  region?: PhotoRegion;
}

/** A point of the photo, or with `width` and `height` a box from its upper left corner, in pixels of the photo upright. */
export interface PhotoRegion {
  x: number;
  y: number;
  width?: number;
  height?: number;
}

/** The scale of the photo as uploaded, after its EXIF orientation. Without it there are no centimetres. */
export interface Calibration {
  mmPerPixel: number;
}

/** An undermined stretch of the edge, clockwise from one hour (1 to 12) to the other: 11 to 2 runs over 12. Without `toClock` it is at one hour. */
export interface Undermining {
  fromClock: number;
  toClock?: number;
  /** More than 0, at most 30. */
  depthCm: number;
}

/** A tunnel that leads from the wound in the direction of one hour, 1 to 12. */
export interface Tunnel {
  clock: number;
  /** More than 0, at most 30. */
  depthCm: number;
}

/** Copied to the report, never guessed. Nothing stands twice in a list; an empty list states nothing. */
export interface ClinicianObservations {
  depthCm?: number;
  /** Head to toe, as measured at the bedside. */
  lengthCm?: number;
  /** Side to side, as measured at the bedside. */
  widthCm?: number;
  exudate?: 'none' | 'light' | 'moderate' | 'heavy';
  exudateType?: 'serous' | 'serosanguineous' | 'sanguineous' | 'purulent';
  odour?: 'none' | 'faint' | 'moderate' | 'strong';
  /** Numeric rating scale, 0 to 10. */
  painNrs?: number;
  /** At most 12. */
  undermining?: Undermining[];
  /** At most 12. */
  tunnelling?: Tunnel[];
  edges?: (
    | 'attached'
    | 'not_attached'
    | 'approximated'
    | 'distinct'
    | 'diffuse'
    | 'rolled'
    | 'undermined'
    | 'macerated'
    | 'callused'
    | 'fibrotic'
  )[];
  /** The skin around the wound. */
  periwound?: (
    | 'intact'
    | 'macerated'
    | 'erythema'
    | 'oedema'
    | 'induration'
    | 'warm'
    | 'dry'
    | 'scaly'
    | 'callus'
    | 'excoriated'
    | 'fragile'
    | 'blistered'
  )[];
  /** At most 12, each one line of at most 200 characters, in the clinician's own words; no diagnosis is made of them. */
  infectionSigns?: string[];
  /** Signs that were looked for, each once; `absent` says that one was not there. */
  infectionSignCodes?: StatedSign[];
  /** As a person stated it; never told from a photo. */
  stage?: WoundStage;
}

/** A sign of infection that a clinician looks for. */
export type InfectionSign =
  | 'warmth'
  | 'erythema'
  | 'spreading_erythema'
  | 'swelling'
  | 'purulent_exudate'
  | 'increased_exudate'
  | 'increased_pain'
  | 'odour'
  | 'friable_granulation'
  | 'debris'
  | 'enlarging'
  | 'new_breakdown'
  | 'probes_to_bone'
  | 'delayed_healing'
  | 'fever'
  | 'lymphangitis';

export interface StatedSign {
  sign: InfectionSign;
  status: 'present' | 'absent';
}

/** `value`: of `pressure` 1 to 4, unstageable, suspected_deep_tissue_injury or mucosal; of `wagner` 0 to 5; of `texas` 0A to 3D. */
export interface WoundStage {
  system: 'wagner' | 'pressure' | 'texas';
  value: WoundStageValue;
  /** The name of whoever stated it. */
  statedBy?: string;
  /** Where that is not the time of the photo: a moment with its offset, or a day. */
  statedAt?: string;
}

export type WoundStageValue =
  | '0'
  | '1'
  | '2'
  | '3'
  | '4'
  | '5'
  | 'unstageable'
  | 'suspected_deep_tissue_injury'
  | 'mucosal'
  | '0A'
  | '0B'
  | '0C'
  | '0D'
  | '1A'
  | '1B'
  | '1C'
  | '1D'
  | '2A'
  | '2B'
  | '2C'
  | '2D'
  | '3A'
  | '3B'
  | '3C'
  | '3D';

/** What an analysis or report says of them. */
export interface StatedObservations extends ClinicianObservations {
  /** When each was stated, of those of another day than the photo's. */
  statedAt?: Partial<Record<keyof ClinicianObservations, string>>;
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

/** What the service knows of one photo. What the bytes say is null until they are stored. */
export interface ImageMetadata {
  imageId: string;
  /** `awaiting_upload` or `stored`. */
  status: string;
  contentType: string | null;
  sizeBytes: number | null;
  sha256: string | null;
  /** In pixels, after the EXIF orientation. */
  width: number | null;
  height: number | null;
  /** False: no job can be created. */
  readable: boolean | null;
  unreadableReason: string | null;
  environment: string;
  createdAt: string;
  storedAt: string | null;
  uploadExpiresAt: string;
}

/** Why a job ended in `error`. */
export interface JobError {
  code: string;
  detail: string;
  /** True where a new job on the same photo may succeed. */
  retryable: boolean;
}

interface JobFields {
  id: string;
  imageId: string;
  clinicalContext: string | null;
  subject: JobSubject | null;
  capturedAt: string;
  /** `capturedAt` as its sender stated it: with their offset, or a day, month or year alone. */
  capturedAsStated?: string;
  calibration: Calibration | null;
  clinicianObservations: StatedObservations | null;
  priority: string;
  metadata: Record<string, string> | null;
  environment: string;
  /** The outcome that `metadata.sandbox` asked for; absent: none, and in live always. */
  sandbox?: string;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  attempts: number;
  /** The failed job that an operator had done again by this one, at no charge. */
  retryOf?: string;
  /** `report`, with the status `completed`, is what `getReport` takes. */
  links: {
    self: string;
    image?: string;
    report?: string;
    artifacts?: { mask: string; overlay: string; tissue?: string };
  };
}

/** A job that has not ended. */
export interface RunningJob extends JobFields {
  status: 'queued' | 'processing';
  result?: undefined;
  error?: undefined;
}

/** A job that has completed: the result and its report are there. */
export interface CompletedJob extends JobFields {
  status: 'completed';
  result: WoundResult;
  error?: undefined;
  links: JobFields['links'] & { report: string };
}

/** A job that ended in error. */
export interface FailedJob extends JobFields {
  status: 'error';
  result?: undefined;
  error: JobError;
}

/** A job that will not change any more. */
export type EndedJob = CompletedJob | FailedJob;

/** One analysis of one image; its `status` says what else is there. Times are RFC 3339. */
export type AnalysisJob = RunningJob | EndedJob;

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
