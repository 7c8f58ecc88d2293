import type { AuditedDoor } from '../audit/access.js';
import type { JobError, JobSource, JobStatus } from '../analysis/analysis-job.js';
import type { RequestState } from '../analysis/analysis-request.js';
import type { ModelUsed } from '../measurement/wound-result.js';
import type { ImageOrigin, ImageStatus, ImageVerdict } from '../images/image.js';
import type { VersionReason } from '../report/clinical-report.js';
import type { ReportStatus } from '../report/report-status.js';
import type { Tenant } from '../tenancy/tenant.js';

/** The possible meanings of an id. `analysis`: a job, or the order that waits to become one: both have the same id. */
export const TRACED_AS = [
  'image',
  'analysis',
  'report',
  'wound',
  'patient',
  'delivery',
  'fhir_resource',
  'hl7_message',
  'hl7_control_id',
  'hl7_order_number',
  'request_id',
] as const;
export type TracedAs = (typeof TRACED_AS)[number];

/** One thing that happened to a photo. Ids, codes, counts and times only: nothing clinical, no number of a patient, no words of a message. */
export interface TraceEvent {
  readonly at: Date;
  /** `image.stored`, `job.completed`, `report.version`, `hl7.received` … */
  readonly what: string;
  /** `Type/id` of what it happened to, in FHIR's words for every door. */
  readonly resources: readonly string[];
  readonly facts: Readonly<Record<string, string | number>>;
  /** What a person has to do next; absent: nothing. */
  readonly next?: string;
}

/** The meaning of an id in one store. */
export interface TraceFinding {
  readonly takenFor: TracedAs;
  readonly tenant: Tenant;
  readonly imageIds: readonly string[];
  /** The patient that the id names, if it names one. */
  readonly patientId?: string;
  /** Ids for other stores: of analyses, of reports. */
  readonly leadsTo: readonly string[];
  /** The request in the audit trail, if nothing else leads to a photo. */
  readonly requestId?: string;
  /** The events to show if it leads to no photo, for instance of a refused message. */
  readonly events: readonly TraceEvent[];
}

/** A photo by its owner and its id. */
export interface PhotoPlace {
  readonly tenant: Tenant;
  readonly imageId: string;
}

/** The keys by which the stores of the doors know a photo. */
export interface TracedPhoto {
  readonly tenant: Tenant;
  readonly imageId: string;
  /** Of the bytes as they came in, hex; null: none ever came. */
  readonly sha256: string | null;
  /** The message that the photo came with; null: it came otherwise. */
  readonly messageId: string | null;
  readonly analysisIds: readonly string[];
  readonly reportIds: readonly string[];
}

/** The caller who had an image made. */
export interface TracedCaller {
  readonly door: AuditedDoor;
  readonly keyId: string;
  readonly requestId: string | null;
}

export interface TracedImage extends Tenant {
  readonly id: string;
  readonly status: ImageStatus;
  readonly origin: ImageOrigin;
  readonly sizeBytes: number | null;
  readonly sha256: string | null;
  readonly verdict: ImageVerdict | null;
  readonly uploadExpiresAt: Date;
  readonly createdAt: Date;
  readonly storedAt: Date | null;
  readonly deletedAt: Date | null;
  /** Attempts so far, for a photo that is still to be fetched; null for others. */
  readonly fetchTries: number | null;
  readonly patientId: string | null;
}

/** An order, as long as its photo or something else is awaited. */
export interface TracedOrder extends Tenant {
  readonly id: string;
  readonly imageId: string | null;
  readonly state: RequestState;
  readonly error: JobError | null;
  readonly retryAt: Date;
  readonly createdAt: Date;
}

export interface TracedJob {
  readonly id: string;
  readonly reportId: string;
  readonly source: JobSource;
  /** The outcome that it asked for, in the test environment; null: none. */
  readonly sandbox: string | null;
  readonly status: JobStatus;
  readonly attempts: number;
  readonly error: JobError | null;
  readonly models: readonly ModelUsed[];
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  /** It timed out, or asked to be slow, and no worker takes it before this; null: it waits for nothing. */
  readonly notBefore: Date | null;
}

/** One version of a report. */
export interface TracedVersion {
  readonly reportId: string;
  readonly version: number;
  readonly status: ReportStatus;
  readonly reason: VersionReason;
  readonly issuedAt: Date;
  /** True for the present version. */
  readonly isPresent: boolean;
  /** By a reassignment. */
  readonly replacedBy: string | null;
}

/** Why a photo was deleted. `unused`: its upload was never finished; `refused`: the message that it came with was not kept. */
export type DeletionReason =
  | { readonly why: 'asked'; readonly by: string; readonly door: AuditedDoor }
  | { readonly why: 'retention' | 'erasure' | 'unused' | 'refused' };

/** The records of one photo. Lists are oldest first. */
export interface PhotoRecord {
  readonly image: TracedImage;
  /** null: the audit trail does not say. */
  readonly madeBy: TracedCaller | null;
  /** null: it is not deleted, or nothing says why. */
  readonly goneFor: DeletionReason | null;
  readonly orders: readonly TracedOrder[];
  readonly jobs: readonly TracedJob[];
  readonly versions: readonly TracedVersion[];
}

/** The events of one photo, oldest first. */
export interface PhotoTrace {
  readonly tenant: Tenant;
  readonly imageId: string;
  readonly patientId: string | null;
  readonly events: readonly TraceEvent[];
}

export interface Trace {
  /** The meanings of the id; one id can be several things to several senders. */
  readonly takenFor: readonly TracedAs[];
  readonly photos: readonly PhotoTrace[];
  /** Events of findings that led to no photo, oldest first. */
  readonly apart: readonly {
    readonly tenant: Tenant;
    readonly patientId: string | null;
    readonly events: readonly TraceEvent[];
  }[];
  /** There are more photos than one answer holds. */
  readonly hasMore: boolean;
}

/** Whose records a trace may show; without an organization: all. */
export interface TraceScope {
  readonly organizationId?: string | undefined;
}

/** Next steps in the words of doors and commands, which core does not know. Each is part of a sentence. */
export interface DoorAdvice {
  /** Ways to order an analysis of a photo. */
  readonly orderAnalysis: string;
  readonly showQuota: string;
  readonly checkWorkers: string;
  retryJob(jobId: string): string;
  reviewReport(reportId: string): string;
}
