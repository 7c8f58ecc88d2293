import { statedTimeOf, type AnalysisJob } from '../../../core/analysis/analysis-job.js';
import type { ArtifactName, WoundResult } from '../../../core/measurement/wound-result.js';
import { jobPath, reportPath } from '../route/paths.js';
import type { JobView } from './job-view.schema.js';

/** The job as its owner sees it. `publicUrl` is the base of the absolute addresses, without a trailing slash. */
export function toJobView(job: AnalysisJob, publicUrl: string): JobView {
  const self = `${publicUrl}${jobPath(job.id)}`;
  return {
    id: job.id,
    status: job.status,
    imageId: job.imageId,
    clinicalContext: job.clinicalContext,
    subject: job.subject,
    capturedAt: job.capturedAt.toISOString(),
    ...statedTimeOf(job),
    calibration: job.mmPerPixel === null ? null : { mmPerPixel: job.mmPerPixel },
    clinicianObservations: job.clinicianObservations,
    priority: job.priority,
    metadata: job.metadata,
    environment: job.environment,
    ...(job.sandbox === undefined ? {} : { sandbox: job.sandbox }),
    createdAt: job.createdAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? null,
    completedAt: job.completedAt?.toISOString() ?? null,
    attempts: job.attempts,
    ...(job.retryOf === undefined ? {} : { retryOf: job.retryOf }),
    ...(job.status === 'completed' && job.result !== null ? { result: toResultView(job.result, self) } : {}),
    ...(job.status === 'error' && job.error !== null ? { error: { ...job.error } } : {}),
    links: {
      self,
      image: `${publicUrl}/api/v1/images/${job.imageId}`,
      ...(job.status === 'completed'
        ? {
            report: `${publicUrl}${reportPath(job.reportId)}`,
            artifacts: artifactLinks(job.result, self),
          }
        : {}),
    },
  };
}

function toResultView(result: WoundResult, self: string): JobView['result'] {
  const artifacts = Object.entries(result.artifacts).map(([name, info]) => [
    name,
    { url: artifactUrl(self, name as ArtifactName), ...info },
  ]);
  // The result is kept as it was measured: only the addresses belong to this door.
  return {
    ...(result as WoundResult & NonNullable<JobView['result']>),
    artifacts: Object.fromEntries(artifacts) as NonNullable<JobView['result']>['artifacts'],
  };
}

function artifactLinks(result: WoundResult | null, self: string): NonNullable<JobView['links']['artifacts']> {
  return {
    mask: artifactUrl(self, 'mask'),
    overlay: artifactUrl(self, 'overlay'),
    ...(result?.artifacts.tissue === undefined ? {} : { tissue: artifactUrl(self, 'tissue') }),
  };
}

function artifactUrl(self: string, name: ArtifactName): string {
  return `${self}/artifacts/${name}`;
}
