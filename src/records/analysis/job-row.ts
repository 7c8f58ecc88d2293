import type { AnalysisJob, JobPriority } from '../../core/analysis/analysis-job.js';
import type { WoundResult } from '../../core/measurement/wound-result.js';
import { StoredDocuments } from '../../platform/database/stored-documents.js';

/** A row of analysis_jobs as JOB_COLUMNS give it. */
export interface JobRow extends Omit<AnalysisJob, 'result' | 'retryOf' | 'sandbox'> {
  /** In the form of the release that wrote its schemaVersion. */
  readonly result: { readonly schemaVersion: string } | null;
  readonly retryOf: string | null;
  readonly sandbox: string | null;
}

/** All versions of results, the present one last. Callers see them, too. */
const RESULT_SCHEMAS: readonly string[] = ['1.0'];
export const RESULTS = new StoredDocuments<WoundResult>('result', []);

/** Higher runs first, with room between for later priorities. */
const PRIORITY_NUMBER: Readonly<Record<JobPriority, number>> = { routine: 0, stat: 1 };

/** Named one by one: a column that a later release adds must not change what prepared statements answer. */
export const JOB_COLUMNS = `id, organization_id as "organizationId", environment, report_id as "reportId", image_id as "imageId", patient_id as "patientId",
  source, status, case when priority >= ${PRIORITY_NUMBER.stat} then 'stat' else 'routine' end as priority, clinical_context as "clinicalContext", subject,
  captured_at as "capturedAt", captured_as_stated as "capturedAsStated", is_capture_of_photo as "isCaptureOfPhoto", is_camera_time_unused as "isCameraTimeUnused", mm_per_pixel as "mmPerPixel", clinician_observations as "clinicianObservations", metadata, attempts,
  created_at as "createdAt", started_at as "startedAt", completed_at as "completedAt", result, error, retry_of as "retryOf", sandbox`;

export function toPriorityNumber(priority: JobPriority): number {
  return PRIORITY_NUMBER[priority];
}

export function toAnalysisJob({
  result,
  retryOf,
  isCaptureOfPhoto,
  isCameraTimeUnused,
  sandbox,
  ...job
}: JobRow): AnalysisJob {
  return {
    ...job,
    ...(isCaptureOfPhoto === true ? { isCaptureOfPhoto } : {}),
    ...(isCameraTimeUnused === true ? { isCameraTimeUnused } : {}),
    ...(sandbox === null ? {} : { sandbox }),
    result: result === null ? null : toResult(result),
    retryOf: retryOf ?? undefined,
  };
}

/** `data.newer_release`. */
function toResult(result: NonNullable<JobRow['result']>): WoundResult {
  const place = RESULT_SCHEMAS.indexOf(result.schemaVersion);
  return RESULTS.read(result, place < 0 ? RESULTS.presentVersion + 1 : place + 1);
}
