import { isDeepStrictEqual } from 'node:util';
import type { EhrPush } from '../../../core/ehrs/ehr.js';

/** By which settings a write was made: it is looked for by them, whatever is sent since. */
export type WriteTerms = Pick<EhrPush, 'dialect' | 'send' | 'codes' | 'encounterRule'>;

export function termsOf({ dialect, send, codes, encounterRule }: EhrPush): WriteTerms {
  return { dialect, send, codes, encounterRule };
}

/** What a write may leave. `create`: something new at every try; `create-once`: something new, unless its condition finds it; `change`: nothing new. */
export type WriteKind = 'create' | 'create-once' | 'change';

/** Writes of one kind to one chart that may stand there, or be carried out yet, without their places being known. */
export interface OpenWrite {
  /** `Patient/id` in whose chart; null: not known. */
  readonly patient: string | null;
  readonly kind: WriteKind;
  /** Of a change: `Type/id` of what it changes. */
  readonly target?: string;
  /** Absent: not known. */
  readonly terms?: WriteTerms;
  /** How many were sent. */
  readonly times: number;
  /** When the last one was sent, by the clock of the database; null: in this attempt. */
  readonly at: string | null;
  /** Since then, when it was read. */
  readonly ageMs: number;
  /** The EHR said that one is made (201), or is taken and done later (202), and not where. */
  readonly isTaken: boolean;
  /** A person has looked for it since, and has not found it. It is looked for on, and no more waited for. */
  readonly isLookedFor?: true;
}

export type BegunWrite = Pick<OpenWrite, 'kind' | 'target' | 'terms'> & { readonly patient: string };

/** What is known of the places of creates. */
export interface Placed {
  /** Was answered with the place of what it made. */
  readonly answered: BegunWrite | null;
  /** Charts in which a search has found one. */
  readonly found: ReadonlySet<string>;
}

export function withBegun(open: readonly OpenWrite[], write: BegunWrite): readonly OpenWrite[] {
  const before = open.find((one) => isNew(one, write));
  const times = (before?.times ?? 0) + 1;
  return [
    ...open.filter((one) => one !== before),
    { ...write, times, at: null, ageMs: 0, isTaken: before?.isTaken ?? false },
  ];
}

/** One of them was not carried out. Those before it may stand all the same. */
export function withRefused(open: readonly OpenWrite[], write: BegunWrite): readonly OpenWrite[] {
  return open.flatMap((one) => (isNew(one, write) ? lessOne(one) : one));
}

export function withTaken(open: readonly OpenWrite[], write: BegunWrite): readonly OpenWrite[] {
  return open.map((one) => (isNew(one, write) ? { ...one, isTaken: true } : one));
}

/** A person has looked for all of them. */
export function lookedFor(open: readonly OpenWrite[]): readonly OpenWrite[] {
  return open.map((one) => ({ ...one, isLookedFor: true }));
}

/** What is left once a delivery is filed: all but what is known. Changes are done. */
export function leftOpen(open: readonly OpenWrite[], { answered, found }: Placed): readonly OpenWrite[] {
  let left: readonly OpenWrite[] = open.filter(({ kind }) => kind !== 'change');
  if (answered !== null) left = withRefused(left, answered);
  if (answered?.kind === 'create-once') left = withConditions(left, answered.patient);
  for (const patient of found) left = withFound(left, patient);
  return left;
}

/** A search has found one in this chart: which of them is not known. */
export function withFound(open: readonly OpenWrite[], patient: string): readonly OpenWrite[] {
  const once = open.find((one) => isOf(one, { patient, kind: 'create-once' }));
  if (once !== undefined)
    return withConditions(
      open.flatMap((one) => (one === once ? lessOne(one) : one)),
      patient,
    );
  const creates = open.filter((one) => isOf(one, { patient, kind: 'create' }));
  const one =
    creates.find(({ isLookedFor }) => isLookedFor === true) ??
    creates[0] ??
    open.find((write) => write.patient === null && write.kind !== 'change');
  return open.flatMap((write) => (write === one ? lessOne(write) : write));
}

/**
 * Others of this chart with a condition find what is there now, and are waited for no more. They are looked for on: a condition may look where it is
 * not shown yet, and two that come at once may see neither.
 */
function withConditions(open: readonly OpenWrite[], patient: string): readonly OpenWrite[] {
  return open.map((one) => (isOf(one, { patient, kind: 'create-once' }) ? { ...one, isLookedFor: true } : one));
}

/** Of the creates that may have reached this chart; those of an unknown chart may. */
export function createsIn(open: readonly OpenWrite[], patient: string): readonly OpenWrite[] {
  return open.filter((one) => one.kind !== 'change' && (one.patient === null || one.patient === patient));
}

function lessOne(one: OpenWrite): readonly OpenWrite[] {
  return one.times > 1 ? [{ ...one, times: one.times - 1 }] : [];
}

/** Of those that nobody has looked for yet. */
function isNew(one: OpenWrite, write: BegunWrite): boolean {
  return isOf(one, write) && one.target === write.target && isBy(one, write.terms) && one.isLookedFor !== true;
}

/** Whether a write was made by these settings; undefined: by those that are not known. */
export function isBy({ terms }: Pick<OpenWrite, 'terms'>, other: WriteTerms | undefined): boolean {
  return isDeepStrictEqual(terms, other);
}

function isOf(one: OpenWrite, { patient, kind }: Pick<BegunWrite, 'patient' | 'kind'>): boolean {
  return one.patient === patient && one.kind === kind;
}
