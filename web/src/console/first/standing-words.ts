import type { Finding, Standing, StandingPart } from '../shared/answers.js';
import { lengthBetween } from '../shared/lengths.js';
import { pathWith } from '../shared/reads.js';

/** Where a finding is mended, and what the link there is called; null: not in the console. */
export interface Place {
  readonly to: string;
  readonly what: string;
}

const PARTS: Readonly<Record<StandingPart, string>> = {
  database: 'the database',
  receivers: 'receivers',
  listeners: 'listeners',
  certificates: 'certificates',
  queue: 'queues',
  workers: 'workers',
  models: 'models',
  disk: 'disks',
  backup: 'back-ups',
  parts: 'what each process needs, its own certificate included',
  audit: 'the audit trail',
  messages: 'refused messages',
  held: 'what is held',
  jobs: 'failed analyses',
  quota: 'quotas',
};
/** What no role but that of an installation admin sees at all. */
const INSTALLATION: readonly StandingPart[] = ['disk', 'backup', 'parts', 'audit'];

/** What the state of everything is called, in one sentence that promises nothing beyond what was looked at. */
export function verdictOf({ findings, state, unseen }: Pick<Standing, 'findings' | 'state' | 'unseen'>): string {
  const broken = findings.filter((one) => one.state === 'broken').length;
  const waiting = findings.filter((one) => one.state === 'waiting').length;
  const parts = [
    ...(broken === 0 ? [] : [broken === 1 ? '1 thing is broken' : `${broken} things are broken`]),
    ...(waiting === 0 ? [] : [waiting === 1 ? '1 thing waits for a person' : `${waiting} things wait for a person`]),
  ];
  if (parts.length > 0) return `${parts.join(', ')}.`;
  if (state === 'well') return 'Nothing. Every part was asked and answered, and none of them is wrong.';
  const unknown = findings.some((one) => one.state === 'unknown');
  if (!unknown && unseen.length > 0) return 'Nothing in what you may see.';
  return 'Nothing in what is known; not everything is.';
}

/** What the person may not see; null: they see everything. */
export function unseenInWords(unseen: readonly StandingPart[]): string | null {
  if (unseen.length === 0) return null;
  const whole = unseen.filter((part) => INSTALLATION.includes(part)).map((part) => PARTS[part]);
  const partly = unseen.filter((part) => !INSTALLATION.includes(part)).map((part) => PARTS[part]);
  return [
    ...(whole.length === 0 ? [] : [`Not shown to you: ${listed(whole)} (for installation admins).`]),
    ...(partly.length === 0 ? [] : [`Of organizations where you lack the role, not shown either: ${listed(partly)}.`]),
    'Something may be wrong there.',
  ].join(' ');
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`;
}

/** "18 wait, the oldest for 31 min"; null: nothing waits, or it is not counted. */
export function waitingInWords(
  { waiting, oldestWaitingAt }: Pick<Finding, 'waiting' | 'oldestWaitingAt'>,
  at: string,
): string | null {
  if (waiting === null || waiting === 0) return null;
  const count = waiting === 1 ? '1 waits' : `${waiting >= MOST ? `${MOST} or more` : waiting} wait`;
  return oldestWaitingAt === null ? count : `${count}, the oldest for ${lengthBetween(oldestWaitingAt, at)}`;
}

/** Of the gateway's counting. */
const MOST = 10_000;

/** "last proof 2 min ago"; null: there is none, which is said where the part is otherwise well. */
export function proofInWords({ provenAt, part }: Pick<Finding, 'provenAt' | 'part'>, at: string): string | null {
  if (provenAt === null) return null;
  const ago = Date.parse(at) - Date.parse(provenAt) < 2000 ? 'just now' : `${lengthBetween(provenAt, at)} ago`;
  const what: Partial<Record<StandingPart, string>> = {
    receivers: 'last accepted by the receiver',
    listeners: 'last message came in',
    queue: 'last analysis ended',
    backup: 'taken',
    audit: 'last sealed',
  };
  return `${what[part] ?? 'looked at'} ${ago}`;
}

export function placeOf({ part, fault, subjectId, subjectKind, organizationId }: Finding): Place | null {
  const of = { organizationId: organizationId ?? undefined };
  if (fault === 'deliveries_parked' && subjectId !== null)
    return {
      to: pathWith('/deliveries', { endpointId: subjectId, state: 'parked' }),
      what: 'Read what the receiver said',
    };
  if (subjectId !== null && subjectKind !== null && subjectKind !== 'process')
    return { to: pathWith('/connections', { shown: subjectId }), what: 'Open the connection' };
  if (fault === 'messages_refused' || fault === 'messages_sealed' || fault === 'jobs_failed')
    return { to: pathWith('/failures', of), what: 'See them by cause' };
  return PLACES[part]?.(of) ?? null;
}

const PLACES: Partial<Readonly<Record<StandingPart, (of: { readonly organizationId: string | undefined }) => Place>>> =
  {
    receivers: () => ({ to: '/connections', what: 'See the connections' }),
    listeners: () => ({ to: '/connections', what: 'See the connections' }),
    held: (of) => ({ to: pathWith('/held', of), what: 'Decide about them' }),
    quota: () => ({ to: '/organizations', what: 'See the organization' }),
    queue: () => ({ to: '/figures', what: 'See how it went' }),
  };
