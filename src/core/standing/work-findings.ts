import { counted, earliest, finding, notKnown, type Finding } from './finding.js';
import { lacksSince, latestSeen, missedOf } from './process-findings.js';
import type { CountFacts, ProcessFacts, QuotaFacts, WorkFacts } from './standing-facts.js';

/** Of the oldest that is not worked off. */
const SLOW_MS = 60_000;
const STUCK_MS = 5 * 60_000;
/** Share of a day's analyses from which it is told. */
const NEARLY = 0.8;

/** Analyses, events between the parts, and messages that came in. `mayCount`: figures of all organizations are shown. */
export function queueFindings(work: WorkFacts | null, now: Date, mayCount: boolean): Finding[] {
  if (work === null) return [notKnown('queue', 'Whether work is done')];
  const queues = [
    { at: work.oldestJobAt, what: 'Analyses', waiting: work.jobsQueued + work.jobsRunning },
    { at: work.oldestMessageAt, what: 'HL7 messages that were taken', waiting: null },
    { at: work.oldestEventAt, what: 'Results that are to be handed on', waiting: null },
  ];
  const late = queues.flatMap(({ at, what, waiting }) => {
    const age = at === null ? 0 : now.getTime() - at.getTime();
    if (age < SLOW_MS) return [];
    const isStuck = age >= STUCK_MS;
    return [
      finding({
        part: 'queue',
        state: isStuck ? 'broken' : 'waiting',
        fault: 'queue_stuck',
        words: `${what} ${isStuck ? 'are not worked off' : 'wait for longer than a minute'}`,
        since: at,
        waiting: mayCount ? waiting : null,
        oldestWaitingAt: at,
        provenAt: work.lastJobEndedAt,
        nextStep: 'Look whether workers run and are ready (below), and at the load of the machine and the database.',
      }),
    ];
  });
  if (late.length > 0) return late;
  return [
    finding({
      part: 'queue',
      state: 'well',
      words: 'Nothing has waited for a minute: no analysis, no message that came in, no result to be handed on',
      waiting: mayCount ? work.jobsQueued + work.jobsRunning : null,
      provenAt: work.lastJobEndedAt,
    }),
  ];
}

/** Those that analyse photos, and whether they have a model. */
export function workerFindings(processes: readonly ProcessFacts[] | null, now: Date): Finding[] {
  if (processes === null)
    return [notKnown('workers', 'Whether workers run'), notKnown('models', 'Whether a model is loaded')];
  const workers = processes.filter(({ roles }) => roles.includes('worker'));
  const fresh = workers.filter(({ isFresh }) => isFresh);
  return [...livingFindings(workers, fresh, missedOf(workers, now)), ...modelFindings(fresh)];
}

function livingFindings(
  workers: readonly ProcessFacts[],
  fresh: readonly ProcessFacts[],
  missed: readonly ProcessFacts[],
): Finding[] {
  const part = 'workers';
  const lastSeenAt = latestSeen(workers);
  const nextStep = 'Start it again, and read the end of its log.';
  if (fresh.length === 0)
    return [
      finding({
        part,
        state: 'broken',
        fault: 'worker_dead',
        words:
          lastSeenAt === null
            ? 'No worker process has reported: photos are taken and not analysed'
            : 'No worker process reports any more: photos are taken and not analysed',
        since: lastSeenAt,
        nextStep: lastSeenAt === null ? 'Start a process with the role worker.' : nextStep,
      }),
    ];
  return [
    ...(missed.length === 0
      ? []
      : [
          finding({
            part,
            state: 'waiting',
            fault: 'worker_dead',
            words: `${counted(missed.length, 'worker process has', 'worker processes have')} stopped reporting; ${fresh.length} still work`,
            since: latestSeen(missed),
            nextStep: `${nextStep} One that was taken away on purpose is forgotten after an hour.`,
          }),
        ]),
    finding({
      part,
      state: 'well',
      words: `${counted(fresh.length, 'worker process reports', 'worker processes report')}`,
      provenAt: latestSeen(fresh),
    }),
  ];
}

function modelFindings(fresh: readonly ProcessFacts[]): Finding[] {
  const part = 'models';
  const lacking = fresh.map((worker) => lacksSince(worker, 'inference')).filter((since) => since !== null);
  const loaded = fresh.filter(({ failing }) => failing['inference'] === undefined);
  const ready = loaded.length;
  if (fresh.length === 0)
    return [
      finding({ part, state: 'unknown', words: 'Whether a model is loaded is not known: no worker process reports' }),
    ];
  const first = earliest(lacking);
  if (first === null && ready === 0)
    return [
      finding({
        part,
        state: 'unknown',
        words: 'No worker process has a model that is ready, for less than 10 seconds',
      }),
    ];
  return [
    ...(first === null
      ? []
      : [
          finding({
            part,
            state: ready === 0 ? 'broken' : 'waiting',
            fault: 'model_missing',
            words:
              ready === 0
                ? 'No worker process has a model that is ready: photos are not analysed'
                : `${lacking.length} of ${fresh.length} worker processes have no model that is ready`,
            since: first,
            nextStep:
              'Look in the worker’s log whether the model’s files are there and its inference server answers; it is tried again.',
          }),
        ]),
    ...(ready === 0
      ? []
      : [
          finding({
            part,
            state: 'well',
            words: `${counted(ready, 'worker process has', 'worker processes have')} loaded a model and warmed it up`,
            provenAt: latestSeen(loaded),
          }),
        ]),
  ];
}

/** What people have to look at, by organization: from counts. */
interface Wanting {
  readonly part: 'messages' | 'held' | 'jobs';
  readonly what: string;
  readonly none: string;
  words(one: CountFacts): string;
  readonly fault: (code: string) => Finding['fault'];
  readonly nextStep: string;
}

const MESSAGES: Wanting = {
  part: 'messages',
  what: 'Whether messages were refused',
  none: 'No HL7 message that came in is refused or unreadable',
  words: ({ code, count }) =>
    `${counted(count, 'HL7 message', 'HL7 messages', 10_000)} ${code === 'sealed' ? 'that no key opens' : 'refused'}`,
  fault: (code) => (code === 'sealed' ? 'messages_sealed' : 'messages_refused'),
  nextStep: 'Read what is wrong with them, mend that, then process them once more.',
};
const HELD: Wanting = {
  part: 'held',
  what: 'Whether anything waits for a person',
  none: 'Nothing waits for a person’s decision',
  words: ({ count, code }) =>
    `${counted(count, 'thing waits', 'things wait')} for a person: ${code.replaceAll('_', ' ')}`,
  fault: () => 'items_held',
  nextStep: 'Decide about them.',
};
const JOBS: Wanting = {
  part: 'jobs',
  what: 'Whether analyses failed',
  none: 'No analysis of the last 24 hours has failed and was left so',
  words: ({ count, code }) => `${counted(count, 'analysis', 'analyses', 10_000)} of the last 24 hours failed: ${code}`,
  fault: () => 'jobs_failed',
  nextStep: 'Mend the cause that errors.md names for the code, then run them again (jobs retry).',
};

type Counts = readonly CountFacts[] | null;

export const messageFindings = (facts: Counts, now: Date): Finding[] => wanting(facts, now, MESSAGES);
export const heldFindings = (facts: Counts, now: Date): Finding[] => wanting(facts, now, HELD);
export const jobFindings = (facts: Counts, now: Date): Finding[] => wanting(facts, now, JOBS);

function wanting(facts: Counts, now: Date, { part, what, none, words, fault, nextStep }: Wanting): Finding[] {
  if (facts === null) return [notKnown(part, what)];
  if (facts.length === 0) return [finding({ part, state: 'well', words: none, provenAt: now })];
  return facts.map((one) =>
    finding({
      part,
      state: 'waiting',
      fault: fault(one.code),
      words: words(one),
      since: one.since,
      organizationId: one.organizationId,
      environment: one.environment,
      waiting: one.count,
      oldestWaitingAt: one.since,
      nextStep,
    }),
  );
}

export function quotaFindings(quotas: readonly QuotaFacts[] | null, now: Date): Finding[] {
  const part = 'quota';
  if (quotas === null) return [notKnown(part, 'Whether analyses are left')];
  const told = quotas.filter(({ used, limit }) => used >= limit * NEARLY && used > 0);
  if (told.length === 0)
    return [
      finding({ part, state: 'well', provenAt: now, words: 'Every organization has a fifth of today’s analyses left' }),
    ];
  return told.map(({ organizationId, used, limit }) =>
    finding({
      part,
      state: used >= limit ? 'broken' : 'waiting',
      fault: 'quota_used',
      words:
        used >= limit
          ? `All ${limit} analyses of today are used: photos are refused or wait until 00:00 UTC`
          : `${used} of ${limit} analyses of today are used`,
      organizationId,
      nextStep: 'Raise its limit, or wait until 00:00 UTC.',
    }),
  );
}
