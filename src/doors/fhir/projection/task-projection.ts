import { Injectable } from '@nestjs/common';
import type { Identifier, Media, ServiceRequest, Task } from '@medplum/fhirtypes';
import type { AnalysisJob } from '../../../core/analysis/analysis-job.js';
import type { AnalysisRequest } from '../../../core/analysis/analysis-request.js';
import { AnalysisRequestRepository } from '../../../core/analysis/analysis-request.repository.js';
import { Clock } from '../../../core/ports/clock.js';
import { JobRepository } from '../../../core/analysis/job.repository.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { deviceId, PLACER } from '../../../reports/index.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { PhotoProjection } from './photo-projection.js';
import { ServiceResources, type FoundResources, type ServiceChange } from './service-resources.js';
import { SubjectProjection } from './subject-projection.js';
import { advanceTask, isForward, taskFactsOf, toTask, type TaskFacts } from './task.js';

/** The end of a job, as the projection of its report knows it. */
interface Ending {
  readonly owner: string;
  readonly report: string;
}

/**
 * Lets each Task follow its job, forward only. The state is read from the record at that moment, whichever event asked: events may
 * come late, twice, or out of order. `completed` waits for the report, which the Task then names.
 */
@Injectable()
export class TaskProjection {
  constructor(
    private readonly resources: ServiceResources,
    private readonly subjects: SubjectProjection,
    private readonly photos: PhotoProjection,
    private readonly jobs: JobRepository,
    private readonly requests: AnalysisRequestRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Brings the Task of a job, or of a request that did not become one, to its present state. `fhir.duplicate` if it was created concurrently: a retry finds it.
   */
  async follow(transaction: TenantTransaction, id: string): Promise<void> {
    const job = await this.jobs.find(transaction, id);
    if (job === null) return this.followRequest(transaction, id);
    const { patientId, imageId } = job;
    const found = await this.resources.findTogether(transaction, {
      read: [
        { type: 'Task', id },
        { type: 'Media', id: imageId },
        ...(patientId === null ? [] : [{ type: 'Patient', id: patientId }]),
      ],
    });
    const stored = found.of<Task>('Task', id);
    if (stored !== null) await this.advance(transaction, stored, factsOf(job, null));
    else if (patientId !== null) await this.open(transaction, job, patientId, found);
  }

  /**
   * Completes the Task of a job with its report; a report that replaced another leaves the Task unchanged. Returns the change to `stored`, which is locked; a missing Task is written.
   */
  async reportReady(
    transaction: TenantTransaction,
    report: ClinicalReport,
    patientId: string | null,
    stored: StoredResource<Task> | null,
  ): Promise<readonly ServiceChange[]> {
    const job = await this.jobs.find(transaction, report.jobId);
    if (job === null) return [];
    const ending: Ending = {
      owner: `Device/${deviceId(report.content.findings.model)}`,
      report: `DiagnosticReport/${report.id}`,
    };
    if (stored !== null) return advanced(stored, factsOf(job, ending));
    const facts = factsOf(job, ending, patientId === null ? null : `Patient/${patientId}`);
    await this.resources.ensure<Task>(transaction, 'Task', facts.id, () => toTask(facts), null);
    return [];
  }

  private async advance(transaction: TenantTransaction, seen: StoredResource<Task>, facts: TaskFacts): Promise<void> {
    if (advanced(seen, facts).length === 0) return;
    // The state may be further on by now: of two that are ahead of what both saw, one has written first.
    const stored = await this.resources.findForUpdate<Task>(transaction, 'Task', facts.id);
    if (stored !== null) await this.resources.changeAll(transaction, advanced(stored, facts));
  }

  private async followRequest(transaction: TenantTransaction, id: string): Promise<void> {
    const stored = await this.resources.findForUpdate<Task>(transaction, 'Task', id);
    // Read after the lock, so that a state that another process has just written is not undone.
    const request = await this.requests.find(transaction, id);
    if (request === null || stored === null) return;
    await this.resources.changeAll(transaction, advanced(stored, requestFacts(request, this.clock.now())));
  }

  /** A job that came in natively, of a known patient. Its patient and its photo are shown with it. */
  private async open(
    transaction: TenantTransaction,
    job: AnalysisJob,
    patientId: string,
    found: FoundResources,
  ): Promise<void> {
    await this.resources.lockPatient(transaction, patientId);
    await this.subjects.ensurePatient(transaction, patientId, [], found);
    const shown = found.of<Media>('Media', job.imageId);
    const media = shown?.resource ?? (await this.photos.toShow(transaction, job, patientId));
    const task = toTask(factsOf(job, null, `Patient/${patientId}`));
    await this.resources.createAll(transaction, shown === null ? [media, task] : [task]);
    // A photo of a first version may have been sent before the operator wanted documents beside it.
    if (shown === null || shown.version === 1) await this.photos.mirror(transaction, media);
  }
}

/** What a Task lacks of these facts: nothing, where it is further on. */
function advanced(stored: StoredResource<Task>, facts: TaskFacts): ServiceChange[] {
  return isForward(stored.resource.status, facts.state)
    ? [{ current: stored, next: advanceTask(stored.resource, facts) }]
    : [];
}

/** A job whose report is still to come has not completed for who reads Tasks. */
function factsOf(job: AnalysisJob, ending: Ending | null, patient: string | null = null): TaskFacts {
  const facts = taskFactsOf(job, {
    patient,
    order: null,
    image: `Media/${job.imageId}`,
    owner: ending?.owner ?? null,
    report: ending?.report ?? null,
  });
  return ending === null && facts.state === 'completed'
    ? { ...facts, state: 'processing', endedAt: null, lastModified: job.startedAt ?? job.createdAt }
    : facts;
}

function requestFacts(request: AnalysisRequest, now: Date): TaskFacts {
  const { id, organizationId, imageId, options, createdAt, error } = request;
  return {
    id,
    ...standingOf(request),
    error,
    patient: null,
    order: null,
    image: imageId === null ? null : `Media/${imageId}`,
    clinicalContext: options.clinicalContext,
    priority: options.priority,
    requester: `Organization/${organizationId}`,
    owner: null,
    authoredOn: createdAt,
    lastModified: now,
    startedAt: null,
    endedAt: null,
    report: null,
  };
}

/** Where a request stands that is no job, or not yet. */
export function standingOf({
  state,
  awaitsPatient,
}: Pick<AnalysisRequest, 'state' | 'awaitsPatient'>): Pick<TaskFacts, 'state' | 'hold'> {
  if (state === 'rejected' || state === 'cancelled') return { state };
  if (state === 'held') return { state: 'held', hold: 'order-on-hold' };
  return awaitsPatient ? { state: 'held', hold: 'patient-unknown' } : { state: 'waiting' };
}

/** The order of a report: its reference, and the placer's number, which is the first without another type. */
export function orderOf({ id, identifier = [] }: ServiceRequest): {
  readonly reference: string;
  readonly placer: Identifier | null;
} {
  const inUse = identifier.filter(({ use, value }) => use !== 'old' && value !== undefined);
  const placer =
    inUse.find(({ type }) => type?.coding?.some(({ code }) => code === PLACER.code)) ??
    inUse.find(({ type }) => type === undefined);
  return { reference: `ServiceRequest/${id!}`, placer: placer ?? null };
}
