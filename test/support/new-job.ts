import { v7 } from 'uuid';
import type { AnalysisJob } from '../../src/core/analysis/analysis-job.js';
import type { Tenant } from '../../src/core/tenancy/tenant.js';

/** A job as it is asked for, of a photo that is there. */
export function newJob(tenant: Tenant, changes: Partial<AnalysisJob> & { readonly imageId: string }): AnalysisJob {
  return {
    ...tenant,
    id: v7(),
    reportId: v7(),
    patientId: null,
    clinicalContext: null,
    subject: null,
    capturedAt: new Date(),
    mmPerPixel: null,
    clinicianObservations: null,
    priority: 'routine',
    metadata: null,
    source: 'rest',
    status: 'queued',
    attempts: 0,
    createdAt: new Date(),
    startedAt: null,
    completedAt: null,
    result: null,
    error: null,
    ...changes,
  };
}
