import type { JobRequest } from '../../../core/analysis/analysis-job.js';
import { withoutEmptyLists } from '../../../core/analysis/clinician-observations.js';
import { ClinicalTime } from '../../../core/times/clinical-time.js';
import type { JobRequestBody } from './job-request.schema.js';

export function toJobRequest(body: JobRequestBody): JobRequest {
  return {
    imageId: body.imageId,
    clinicalContext: body.clinicalContext ?? null,
    subject: body.subject ?? null,
    capturedAt: body.capturedAt === undefined ? null : new Date(body.capturedAt),
    capturedAsStated: ClinicalTime.read(body.capturedAt)?.text ?? null,
    mmPerPixel: body.calibration?.mmPerPixel ?? null,
    clinicianObservations:
      body.clinicianObservations === undefined ? null : withoutEmptyLists(body.clinicianObservations),
    priority: body.priority ?? 'routine',
    metadata: body.metadata ?? null,
    source: 'rest',
  };
}
