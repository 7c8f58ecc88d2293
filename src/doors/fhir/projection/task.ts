import type { CodeableConcept, Reference, Task } from '@medplum/fhirtypes';
import type { AnalysisJob, JobPriority } from '../../../core/analysis/analysis-job.js';
import type { ErrorCode } from '../../../core/errors/catalogue.js';
import { identifierSystem, profileUrl, SUTURA } from '../../../reports/index.js';

/** The state of an analysis, from the request for it to its end (standards 3.6). `waiting`: for the bytes of its photo; `held`: for somebody. */
export type TaskState = 'waiting' | 'held' | 'queued' | 'processing' | 'completed' | 'error' | 'cancelled' | 'rejected';

type TaskStatus = NonNullable<Task['status']>;
type BusinessStatus = 'queued' | 'processing' | 'completed' | 'error';

const STATUS: Readonly<
  Record<TaskState, { readonly status: TaskStatus; readonly business: BusinessStatus; readonly rank: number }>
> = {
  waiting: { status: 'received', business: 'queued', rank: 0 },
  held: { status: 'on-hold', business: 'queued', rank: 0 },
  queued: { status: 'accepted', business: 'queued', rank: 1 },
  processing: { status: 'in-progress', business: 'processing', rank: 2 },
  completed: { status: 'completed', business: 'completed', rank: 3 },
  error: { status: 'failed', business: 'error', rank: 3 },
  cancelled: { status: 'cancelled', business: 'error', rank: 3 },
  rejected: { status: 'rejected', business: 'error', rank: 3 },
};

/** What an analysis that is held waits for, and what to do: the codes of CodeSystem/task-hold. */
const HOLDS = {
  'patient-unknown':
    'Nobody here has the number by which the patient is stated. Send the Patient, by any door, or name a known one in the photo or order; the analysis then goes on by itself.',
  'order-on-hold': 'The order is on hold. Update it to the status active to let the analysis go on.',
} as const;
export type TaskHold = keyof typeof HOLDS;
const HOLD_SYSTEM = 'task-hold';

/** The facts that a Task states; references are `Type/id`. */
export interface TaskFacts {
  /** The job's id, also while the job does not exist yet. */
  readonly id: string;
  readonly state: TaskState;
  /** The reason for `error`, `cancelled` or `rejected`; null for other states. */
  readonly error: { readonly code: ErrorCode; readonly detail: string } | null;
  /** What `held` waits for; absent for other states. */
  readonly hold?: TaskHold | undefined;
  /** `Patient/…`, or null. */
  readonly patient: string | null;
  /** `ServiceRequest/…` that asked for it, or null. */
  readonly order: string | null;
  /** `Media/…` or `DocumentReference/…` of the photo; null while an order waits for one. */
  readonly image: string | null;
  readonly clinicalContext: string | null;
  readonly priority: JobPriority;
  /** `Organization/…` that asked. */
  readonly requester: string;
  /** `Device/…` that made the result, once there is one. */
  readonly owner: string | null;
  readonly authoredOn: Date;
  /** When the state was reached. */
  readonly lastModified: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** `DiagnosticReport/…`, with `completed`. */
  readonly report: string | null;
}

/** Facts of a Task that its job does not know. */
type TaskLinks = Pick<TaskFacts, 'patient' | 'order' | 'image' | 'owner' | 'report'>;

/** The Task of an analysis. An order or a photo must be known: R4's focus is what is to be done. */
export function toTask(facts: TaskFacts): Task {
  const focus = facts.order ?? facts.image;
  if (focus === null) throw new Error('A Task is about an order or a photo.');
  return {
    resourceType: 'Task',
    id: facts.id,
    meta: { profile: [profileUrl('sutura-analysis-task')] },
    identifier: [{ system: identifierSystem('job-id'), value: facts.id }],
    ...(facts.order === null ? {} : { basedOn: [refer(facts.order)] }),
    ...progressOf(facts),
    intent: 'order',
    priority: facts.priority,
    code: { coding: [{ system: 'http://hl7.org/fhir/CodeSystem/task-code', code: 'fulfill' }] },
    focus: refer(focus),
    ...(facts.patient === null ? {} : { for: refer(facts.patient) }),
    authoredOn: facts.authoredOn.toISOString(),
    requester: refer(facts.requester),
    ...inputOf(facts),
  } as Task;
}

/** Continues a Task: keeps what the order or a client wrote, and adds the awaited photo. */
export function advanceTask(task: Task, facts: TaskFacts): Task {
  const hasImage = task.input?.some(({ type }) => type.coding?.some(({ code }) => code === 'image')) ?? false;
  const input = [...(hasImage || facts.image === null ? [] : [imageInput(facts.image)]), ...(task.input ?? [])];
  return { ...withoutHold(task), ...progressOf(facts), ...(input.length === 0 ? {} : { input }) } as Task;
}

/** The Task without the reason for which it was held; a client's own reason stays. */
export function withoutHold<T extends Omit<Task, 'meta'>>(task: T): T {
  if (task.statusReason === undefined || !isHold(task.statusReason)) return task;
  const { statusReason: _hold, ...rest } = task;
  return rest as T;
}

/** The elements that change from state to state. */
function progressOf(facts: TaskFacts): Partial<Task> {
  const { status, business } = STATUS[facts.state];
  return {
    status,
    ...reasonOf(facts),
    businessStatus: local('job-status', business),
    ...periodOf(facts),
    lastModified: facts.lastModified.toISOString(),
    ...(facts.owner === null ? {} : { owner: refer(facts.owner) }),
    ...(facts.report === null
      ? {}
      : { output: [{ type: local('task-io', 'report'), valueReference: refer(facts.report) }] }),
  } as Partial<Task>;
}

/** The facts of a job's Task, in the state that the job is in. */
export function taskFactsOf(job: AnalysisJob, links: TaskLinks): TaskFacts {
  return {
    ...links,
    id: job.id,
    state: stateOfJob(job),
    error: job.error,
    clinicalContext: job.clinicalContext,
    priority: job.priority,
    requester: `Organization/${job.organizationId}`,
    authoredOn: job.createdAt,
    lastModified: job.completedAt ?? job.startedAt ?? job.createdAt,
    startedAt: job.startedAt,
    endedAt: job.completedAt,
  };
}

/** A job that was cancelled ends as an error with the code that says so. */
export function stateOfJob({ status, error }: Pick<AnalysisJob, 'status' | 'error'>): TaskState {
  return status === 'error' && error?.code === 'job.cancelled' ? 'cancelled' : status;
}

/** True where a Task that stands at `current` may go on to `next`: never back, and never on from an end. What has not begun may be held, and let go. */
export function isForward(current: Task['status'], next: TaskState): boolean {
  const known = Object.values(STATUS).find(({ status }) => status === current);
  const { status, rank } = STATUS[next];
  return known === undefined || rank > known.rank || (rank === 0 && known.rank === 0 && status !== current);
}

/** Codes that CodeSystem/job-error has; any other code of the catalogue is one of CodeSystem/error. */
const JOB_ERRORS: readonly ErrorCode[] = [
  'image.unreadable',
  'image.unavailable',
  'processing.failed',
  'processing.timeout',
  'model.output_invalid',
  'service.internal',
];

function isHold({ coding }: CodeableConcept): boolean {
  return coding?.some(({ system }) => system === `${SUTURA}/CodeSystem/${HOLD_SYSTEM}`) === true;
}

function reasonOf({ error, hold }: TaskFacts): Partial<Task> {
  if (hold !== undefined) return { statusReason: { ...local(HOLD_SYSTEM, hold), text: HOLDS[hold] } };
  if (error === null) return {};
  const system = JOB_ERRORS.includes(error.code) ? 'job-error' : 'error';
  return { statusReason: { ...local(system, error.code.replace(/[._]/g, '-')), text: error.detail } };
}

function periodOf({ startedAt, endedAt }: TaskFacts): Partial<Task> {
  if (startedAt === null && endedAt === null) return {};
  return {
    executionPeriod: {
      ...(startedAt === null ? {} : { start: startedAt.toISOString() }),
      ...(endedAt === null ? {} : { end: endedAt.toISOString() }),
    },
  };
}

function inputOf({ image, clinicalContext }: TaskFacts): object {
  const input = [
    ...(image === null ? [] : [imageInput(image)]),
    ...(clinicalContext === null ? [] : [contextInput(clinicalContext)]),
  ];
  return input.length === 0 ? {} : { input };
}

/** The Task with another clinical context as its input; null: as it is. */
export function asked(task: Task, clinicalContext: string | null): Task {
  if (clinicalContext === null) return task;
  const others = (task.input ?? []).filter(
    ({ type }) => type.coding?.some(({ code }) => code === 'clinical-context') !== true,
  );
  return { ...task, input: [...others, contextInput(clinicalContext)] } as Task;
}

function contextInput(text: string): object {
  return { type: local('task-io', 'clinical-context'), valueString: text };
}

function imageInput(image: string): object {
  return { type: local('task-io', 'image'), valueReference: refer(image) };
}

function local(system: string, code: string): CodeableConcept {
  return { coding: [{ system: `${SUTURA}/CodeSystem/${system}`, code }] };
}

function refer(reference: string): Reference {
  return { reference };
}
