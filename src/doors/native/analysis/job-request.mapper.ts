import type { JobRequest, JobSubject } from '../../../core/analysis/analysis-job.js';
import { withoutEmptyLists } from '../../../core/analysis/clinician-observations.js';
import { ClinicalTime } from '../../../core/times/clinical-time.js';
import type { JobRequestBody } from './job-request.schema.js';

/** `numbering`: the system of patients' numbers that state none; absent: the organization's own. */
export function toJobRequest(body: JobRequestBody, numbering?: string): JobRequest {
  return {
    imageId: body.imageId,
    clinicalContext: body.clinicalContext ?? null,
    subject: body.subject === undefined ? null : assigned(body.subject, numbering),
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

function assigned(subject: JobSubject, numbering: string | undefined): JobSubject {
  const isBare = subject.patientId !== undefined && (subject.patientSystem ?? '') === '';
  return isBare && numbering !== undefined ? { ...subject, patientSystem: numbering } : subject;
}
