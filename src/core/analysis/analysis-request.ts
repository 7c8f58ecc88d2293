import type { Tenant } from '../tenancy/tenant.js';
import type { AnalysisJob, JobError, JobRequest } from './analysis-job.js';

/**
 * waiting → started | rejected | cancelled; waiting ↔ held. `waiting` is for a photo, for its bytes, or for the quota to return;
 * `started` has a job with the request's own id. The last three never change.
 */
export const REQUEST_STATES = ['waiting', 'held', 'started', 'rejected', 'cancelled'] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/** The fields of the future job, apart from its photo. */
export type AnalysisOptions = Omit<JobRequest, 'id' | 'imageId'>;

/** An analysis that was asked for by an order, perhaps before its photo is there. Charged only when it becomes a job. */
export interface AnalysisRequest extends Tenant {
  /** The id that its job has, or will have. */
  readonly id: string;
  /** The order, in the words of its door; null: no order, only a photo. */
  readonly orderKey: string | null;
  /** null: the order came before its photo. */
  readonly imageId: string | null;
  readonly options: AnalysisOptions;
  readonly state: RequestState;
  /** Its patient is named by a number that nobody has yet: it does not start as long as that is so. */
  readonly awaitsPatient: boolean;
  /** Why it was rejected; null for the other states. */
  readonly error: JobError | null;
  /** Not to be tried again by the sweep before this. */
  readonly retryAt: Date;
  readonly createdAt: Date;
}

/** A request with its job, once it has started. */
export interface RequestedAnalysis {
  readonly request: AnalysisRequest;
  readonly job: AnalysisJob | null;
}

/** The fields that may change until a request ends; its order also afterwards. */
export type RequestChange = Partial<
  Pick<AnalysisRequest, 'orderKey' | 'imageId' | 'options' | 'state' | 'awaitsPatient' | 'error' | 'retryAt'>
>;
