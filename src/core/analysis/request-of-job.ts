import type { AnalysisJob, JobRequest } from './analysis-job.js';

/** What was asked for, with the moment at which the photo was taken. */
export function requestOf(job: AnalysisJob): JobRequest {
  const { imageId, clinicalContext, subject, capturedAt, capturedAsStated, mmPerPixel, clinicianObservations } = job;
  const { priority, metadata, source } = job;
  return {
    imageId,
    clinicalContext,
    subject,
    capturedAt,
    ...(capturedAsStated === undefined ? {} : { capturedAsStated }),
    ...(job.isCaptureOfPhoto === true ? { isCaptureOfPhoto: true } : {}),
    ...(job.isCameraTimeUnused === true ? { isCameraTimeUnused: true } : {}),
    mmPerPixel,
    clinicianObservations,
    priority,
    metadata,
    source,
  };
}
