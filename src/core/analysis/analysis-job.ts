import type { ResultPolicy } from '../organizations/organization.js';
import type { CardCorrections } from '../calibration/calibration-card.js';
import type { ErrorCode } from '../errors/catalogue.js';
import type { PatientIdentifier } from '../patients/patient.js';
import type { Tenant } from '../tenancy/tenant.js';
import type { PhotoRegion } from '../measurement/photo-region.js';
import type { WoundResult } from '../measurement/wound-result.js';
import type { ClinicianObservations } from './clinician-observations.js';

/** queued → processing → completed | error; processing → queued when a worker is lost. Terminal states never change. */
export const JOB_STATUSES = ['queued', 'processing', 'completed', 'error'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const JOB_PRIORITIES = ['routine', 'stat'] as const;
export type JobPriority = (typeof JOB_PRIORITIES)[number];

export const LATERALITIES = ['left', 'right', 'midline'] as const;
export type Laterality = (typeof LATERALITIES)[number];

export interface CodedConcept {
  readonly system?: string | undefined;
  readonly code?: string | undefined;
  readonly display?: string | undefined;
}

/** The patient and wound of a photo, in the caller's own terms. */
export interface JobSubject {
  readonly patientId?: string | undefined;
  readonly patientSystem?: string | undefined;
  readonly woundId?: string | undefined;
  readonly woundIdSystem?: string | undefined;
  readonly bodySite?: CodedConcept | undefined;
  readonly laterality?: Laterality | undefined;
  readonly woundType?: CodedConcept | undefined;
  /** Where in the photo the wound lies; absent: it is the largest outline. */
  readonly region?: PhotoRegion | undefined;
}

/** Why a job ended in `error`. */
export interface JobError {
  readonly code: ErrorCode;
  readonly detail: string;
  /** True where a new job on the same photo may succeed. */
  readonly retryable: boolean;
}

/** The door that a job came through. */
export type JobSource = 'rest' | 'fhir' | 'hl7v2';

/** A request for an analysis. */
export interface JobRequest {
  /** The id that the job shall have, where it was given out before; absent: a fresh one. */
  readonly id?: string;
  readonly imageId: string;
  readonly clinicalContext: string | null;
  readonly subject: JobSubject | null;
  /** null: the time the job is created. Of a day, month or year its beginning. */
  readonly capturedAt: Date | null;
  /** What the sender stated of it, as `ClinicalTime` reads it: with their offset, or a day, month or year alone. null or absent: nothing. */
  readonly capturedAsStated?: string | null;
  /** Nobody stated it, and the photo itself says it (EXIF). Absent: false. */
  readonly isCaptureOfPhoto?: boolean;
  /** Nobody stated it, and the photo itself says a time that cannot be (EXIF). Absent: false. */
  readonly isCameraTimeUnused?: boolean;
  /** Millimetres per pixel of the oriented photo; null: no scale. */
  readonly mmPerPixel: number | null;
  readonly clinicianObservations: ClinicianObservations | null;
  readonly priority: JobPriority;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly source: JobSource;
  /** The item of what it waited for in the sandbox and a person has decided about: it does not wait again. Absent: none. */
  readonly decidedItem?: string;
  /** The ended job that this one does again, uncharged. */
  readonly retryOf?: string | undefined;
}

export interface AnalysisJob extends Tenant, Omit<JobRequest, 'capturedAt' | 'decidedItem'> {
  readonly id: string;
  /** Assigned on creation, so that the report can be read as soon as the job is completed. */
  readonly reportId: string;
  readonly patientId: string | null;
  readonly capturedAt: Date;
  readonly status: JobStatus;
  /** Counted when a worker takes the job, before it touches the photo; given back where the service was at fault. */
  readonly attempts: number;
  /** The outcome that it asked for (`metadata.sandbox`), in the test environment alone. It stays when the metadata are erased. Absent: none. */
  readonly sandbox?: string | undefined;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly result: WoundResult | null;
  readonly error: JobError | null;
}

/** After this many claims a job that never ended is closed as an error: it may be what kills the workers. */
export const MAX_ATTEMPTS = 3;

export function isTerminal(status: JobStatus): boolean {
  return status === 'completed' || status === 'error';
}

/** The patient identifier of a subject, or null where it names no patient. */
export function patientIdentifierOf(subject: JobSubject | null): PatientIdentifier | null {
  if (subject?.patientId === undefined) return null;
  return { system: subject.patientSystem ?? '', value: subject.patientId };
}

/** A worker's hold on a job. Only the holder of the current token may end the job (fencing). */
export interface JobLease {
  readonly jobId: string;
  readonly token: string;
}

/** A job and the lease under which a worker holds it. */
export interface ClaimedJob {
  readonly lease: JobLease;
  readonly job: AnalysisJob;
  /** Bar lengths that the tenant measured on its printed calibration cards. */
  readonly cardCorrections: CardCorrections;
  /** The policy of its organization at that moment: whether the report waits for a review. */
  readonly resultPolicy: ResultPolicy;
  /** It timed out before. */
  readonly hasTimedOut: boolean;
  /** Other jobs waited at that moment. */
  readonly othersWait: boolean;
}

/** What was stated of the time of the photo; nothing where nothing was. */
export function statedTimeOf({ capturedAsStated = null }: Pick<JobRequest, 'capturedAsStated'>): {
  readonly capturedAsStated?: string;
} {
  return capturedAsStated === null ? {} : { capturedAsStated };
}
