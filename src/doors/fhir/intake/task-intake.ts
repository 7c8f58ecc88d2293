import type { Task } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { AnalysisRequestService } from '../../../core/analysis/analysis-request.service.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { isSameJson } from '../../../core/report/same-content.js';
import { identifierSystem } from '../../../reports/index.js';
import type { FhirCall } from '../call/fhir-call.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { AnalysisTasks, imageOf } from './analysis-tasks.js';
import { idOf } from './local-reference.js';
import { OrderMatching } from './order-matching.js';
import { notPossible } from '../../../standards/fhir/outcome/outcome-error.js';
import { ResourceIntake } from '../interactions/resource-intake.js';

/** Elements that a client may state in a Task that it makes. */
const OPEN: readonly Task['status'][] = ['requested', 'received', 'ready', 'accepted'];
const JOB_ID = identifierSystem('job-id');

/**
 * A Task is an analysis. One that a client makes asks for the analysis of the photo in its focus (or, with an order in focus, in its input);
 * of one that there is, a client may only set the status `cancelled`, and only before it has begun.
 */
@Injectable()
export class TaskIntake extends ResourceIntake<Task> {
  readonly type = 'Task';
  override readonly changesWhenSettled = true;

  constructor(
    private readonly orders: OrderMatching,
    private readonly tasks: AnalysisTasks,
    private readonly requests: AnalysisRequestService,
  ) {
    super();
  }

  override admit(_call: FhirCall, resource: Task): Promise<Task> {
    const asks =
      resource.intent === 'order' &&
      OPEN.includes(resource.status) &&
      resource.code?.coding?.some(({ code }) => code === 'fulfill') === true;
    if (!asks)
      return Promise.reject(
        notPossible(
          'Task',
          'A new Task asks for an analysis: intent "order", code "fulfill", and a status in which nothing has begun.',
        ),
      );
    if (photoIn(resource) === null)
      return Promise.reject(
        notPossible(
          'Task.focus',
          'Put the photo in focus (Media or DocumentReference), or the order in focus and the photo in the input "image".',
        ),
      );
    const identifier = (resource.identifier ?? []).filter(({ system }) => system !== JOB_ID);
    return Promise.resolve({
      ...resource,
      identifier: [...identifier, { system: JOB_ID, value: resource.id! }],
      status: 'received',
    });
  }

  override async settle(call: FhirCall, { resource }: StoredResource<Task>): Promise<void> {
    const photo = await this.orders.photoAt(call, { reference: photoIn(resource)! });
    if (photo === null) throw notPossible('Task.focus', 'What the Task names is no photo of a wound.');
    const texts = (resource.input ?? []).flatMap(({ type, valueString }) =>
      type?.coding?.some(({ code }) => code === 'clinical-context') === true && valueString !== undefined
        ? [valueString]
        : [],
    );
    await this.orders.askForTask(call, {
      id: resource.id!,
      photo,
      orderId: idOf(resource.focus, 'ServiceRequest'),
      clinicalContext: texts.length === 0 ? undefined : texts.join('\n'),
    });
  }

  override async amend(
    { transaction }: FhirCall,
    { resource: current }: StoredResource<Task>,
    next: Task,
  ): Promise<Task> {
    if (isSameJson(comparable(current), comparable(next)) && next.status === current.status) return current;
    if (next.status !== 'cancelled' || !isSameJson(comparable(current), comparable(next)))
      throw new SuturaError('fhir.task_state');
    const outcome = await this.requests.cancel(transaction, current.id!);
    if (outcome !== 'cancelled')
      throw new SuturaError('fhir.task_state', {
        detail: 'The analysis has begun or ended; it cannot be cancelled any more.',
      });
    return current.status === 'cancelled' ? current : this.tasks.cancelled(current);
  }
}

function photoIn(task: Task): string | null {
  const focused = task.focus?.reference ?? '';
  return /^(Media|DocumentReference)\//.test(focused) ? focused : imageOf(task);
}

/** Elements that a client may not change when it cancels; the reason it may state. */
function comparable({
  meta: _meta,
  status: _status,
  statusReason: _reason,
  businessStatus: _business,
  lastModified: _modified,
  note: _note,
  ...rest
}: Task): object {
  return rest;
}
