import type {
  AnalysisJob,
  JobError,
  JobPriority,
  JobSource,
  JobStatus,
  JobSubject,
} from '../../core/analysis/analysis-job.js';
import type { ClinicianObservations } from '../../core/analysis/clinician-observations.js';
import type { WoundResult } from '../../core/measurement/wound-result.js';
import type { Environment } from '../../core/tenancy/tenant.js';
import { StoredDocuments } from '../../platform/database/stored-documents.js';

/** A row of analysis_jobs as the driver gives it. */
export interface JobRow {
  readonly id: string;
  readonly organization_id: string;
  readonly environment: Environment;
  readonly report_id: string;
  readonly image_id: string;
  readonly patient_id: string | null;
  readonly source: JobSource;
  readonly status: JobStatus;
  readonly priority: number;
  readonly clinical_context: string | null;
  readonly subject: JobSubject | null;
  readonly captured_at: Date;
  readonly mm_per_pixel: number | null;
  readonly clinician_observations: ClinicianObservations | null;
  readonly metadata: Record<string, string> | null;
  readonly attempts: number;
  readonly lease_token: string | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
  /** In the form of the release that wrote its schemaVersion. */
  readonly result: { readonly schemaVersion: string } | null;
  readonly error: JobError | null;
  readonly retry_of: string | null;
}

/** Of statements that are prepared: a column that a later release adds must not change what they answer. */
export const JOB_COLUMNS = (
  [
    'id',
    'organization_id',
    'environment',
    'report_id',
    'image_id',
    'patient_id',
    'source',
    'status',
    'priority',
    'clinical_context',
    'subject',
    'captured_at',
    'mm_per_pixel',
    'clinician_observations',
    'metadata',
    'attempts',
    'lease_token',
    'created_at',
    'started_at',
    'completed_at',
    'result',
    'error',
    'retry_of',
  ] satisfies readonly (keyof JobRow)[]
).join(', ');

/** All versions of results, the present one last. Callers see them, too. */
const RESULT_SCHEMAS: readonly string[] = ['1.0'];
export const RESULTS = new StoredDocuments<WoundResult>('result', []);

/** Higher runs first, with room between for later priorities. */
const PRIORITY_NUMBER: Readonly<Record<JobPriority, number>> = { routine: 0, stat: 1 };

export function toPriorityNumber(priority: JobPriority): number {
  return PRIORITY_NUMBER[priority];
}

export function toAnalysisJob(row: JobRow): AnalysisJob {
  return {
    id: row.id,
    organizationId: row.organization_id,
    environment: row.environment,
    reportId: row.report_id,
    imageId: row.image_id,
    patientId: row.patient_id,
    source: row.source,
    status: row.status,
    priority: row.priority >= PRIORITY_NUMBER.stat ? 'stat' : 'routine',
    clinicalContext: row.clinical_context,
    subject: row.subject,
    capturedAt: row.captured_at,
    mmPerPixel: row.mm_per_pixel,
    clinicianObservations: row.clinician_observations,
    metadata: row.metadata,
    attempts: row.attempts,
    createdAt: row.created_at,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    result: row.result === null ? null : toResult(row.result),
    error: row.error,
    retryOf: row.retry_of ?? undefined,
  };
}

/** `data.newer_release`. */
function toResult(result: NonNullable<JobRow['result']>): WoundResult {
  const place = RESULT_SCHEMAS.indexOf(result.schemaVersion);
  return RESULTS.read(result, place < 0 ? RESULTS.presentVersion + 1 : place + 1);
}
