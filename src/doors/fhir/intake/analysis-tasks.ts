import type { Task } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { AnalysisJob } from '../../../core/analysis/analysis-job.js';
import type { AnalysisRequest, RequestedAnalysis } from '../../../core/analysis/analysis-request.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { Clock } from '../../../core/ports/clock.js';
import { isSameJson } from '../../../core/report/same-content.js';
import type { FhirCall } from '../call/fhir-call.js';
import { SubjectProjection } from '../projection/subject-projection.js';
import { advanceTask, asked, isForward, withoutHold, toTask, type TaskFacts } from '../projection/task.js';
import { standingOf } from '../projection/task-projection.js';
import { ResourceStore, type Author, type StoredResource } from '../../../standards/fhir/store/resource-store.js';

/** Facts of a Task that its analysis request does not know. */
interface TaskSource {
  /** `ServiceRequest/…`, or null. */
  readonly order: string | null;
  /** `Media/…` or `DocumentReference/…`; null while the order waits for one. */
  readonly image: string | null;
  /** `Patient/…`, or null. */
  readonly patient: string | null;
}

/** Writes the Task of an analysis in the transaction of its order. From then on the projection lets it follow its job. */
@Injectable()
export class AnalysisTasks {
  constructor(
    private readonly store: ResourceStore,
    private readonly subjects: SubjectProjection,
    private readonly clock: Clock,
  ) {}

  /** The first version: where the analysis stands now. */
  async open(
    { transaction, caller }: FhirCall,
    { request, job }: RequestedAnalysis,
    source: TaskSource,
  ): Promise<StoredResource<Task>> {
    await this.subjects.ensureOrganization(transaction);
    return this.store.insert<Task>(transaction, toTask(this.factsOf(request, job, source)), authorOf(caller.keyId));
  }

  /** Writes the present state of the analysis as the next version, where it differs from the last. */
  async write(call: FhirCall, requested: RequestedAnalysis, source: TaskSource): Promise<StoredResource<Task>> {
    const { transaction, caller } = call;
    const { request, job } = requested;
    const current = await this.store.findForUpdate<Task>(transaction, 'Task', request.id);
    if (current === null) return this.open(call, requested, source);
    await this.subjects.ensureOrganization(transaction);
    const facts = this.factsOf(request, job, source);
    const { meta: _meta, ...said } = current.resource;
    // A Task that a client wrote itself keeps what it says besides.
    const { meta, ...next } = { ...withoutHold(said), ...toTask(facts) };
    if (isSameJson(said, next)) return current;
    return this.store.replace<Task>(
      transaction,
      current,
      { ...next, meta: { ...current.resource.meta, ...meta } },
      authorOf(caller.keyId),
    );
  }

  /** The Task as it will stand once its analysis is cancelled. */
  cancelled(task: Task): Task {
    const { code, detail } = new SuturaError('job.cancelled');
    const now = this.clock.now();
    const nothing = {
      order: null,
      image: null,
      patient: null,
      clinicalContext: null,
      owner: null,
      report: null,
      startedAt: null,
    };
    return advanceTask(task, {
      ...nothing,
      id: task.id!,
      state: 'cancelled',
      error: { code, detail },
      priority: 'routine',
      requester: '',
      authoredOn: now,
      lastModified: now,
      endedAt: now,
    });
  }

  /** The order of the Task is off. */
  async cancel({ transaction, caller }: FhirCall, id: string): Promise<void> {
    const current = await this.store.findForUpdate<Task>(transaction, 'Task', id);
    if (current !== null && isForward(current.resource.status, 'cancelled'))
      await this.store.replace<Task>(transaction, current, this.cancelled(current.resource), authorOf(caller.keyId));
  }

  /** An order came for what its photo had begun, or the analysis goes on under another. `clinicalContext`: what is asked with it from now on; null: what it says stays. */
  async bringUnder(
    { transaction, caller }: FhirCall,
    id: string,
    order: string,
    clinicalContext: string | null,
  ): Promise<void> {
    const current = await this.store.findForUpdate<Task>(transaction, 'Task', id);
    if (current === null) return;
    const next = { ...asked(current.resource, clinicalContext), basedOn: [{ reference: order }] };
    await this.store.replace<Task>(transaction, current, next, authorOf(caller.keyId));
  }

  /** The analysis has not begun, and is asked otherwise. */
  async ask({ transaction, caller }: FhirCall, id: string, clinicalContext: string | null): Promise<void> {
    const current = await this.store.findForUpdate<Task>(transaction, 'Task', id);
    if (current === null) return;
    const next = asked(current.resource, clinicalContext);
    if (!isSameJson(current.resource, next))
      await this.store.replace<Task>(transaction, current, next, authorOf(caller.keyId));
  }

  find({ transaction }: FhirCall, id: string): Promise<StoredResource<Task> | null> {
    return this.store.find<Task>(transaction, 'Task', id);
  }

  private factsOf(request: AnalysisRequest, job: AnalysisJob | null, source: TaskSource): TaskFacts {
    const { id, options, error, createdAt, organizationId } = request;
    return {
      ...source,
      id,
      ...(job === null ? standingOf(request) : { state: 'queued' as const }),
      error,
      clinicalContext: options.clinicalContext,
      priority: options.priority,
      requester: `Organization/${organizationId}`,
      owner: null,
      authoredOn: createdAt,
      lastModified: this.clock.now(),
      startedAt: null,
      endedAt: null,
      report: null,
    };
  }
}

/** The origin of a Task. */
export function sourceOf(task: Task): TaskSource {
  return { order: task.basedOn?.[0]?.reference ?? null, image: imageOf(task), patient: task.for?.reference ?? null };
}

/** The photo that a Task names as its input. */
export function imageOf(task: Task): string | null {
  return (
    task.input?.find(({ type }) => type?.coding?.some(({ code }) => code === 'image'))?.valueReference?.reference ??
    null
  );
}

function authorOf(keyId: string): Author {
  return { kind: 'client', keyId };
}
