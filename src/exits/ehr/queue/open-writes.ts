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
  /** How many of them were not answered at all; absent: none. */
  readonly unheard?: number;
  /** It changes what stands without naming its version: carried out late, it goes over whatever was written since. */
  readonly isUnguarded?: true;
  /** When the last one was sent, by the clock of the database; null: in this attempt. */
  readonly at: string | null;
  /** Since then, when it was read. */
  readonly ageMs: number;
  /** The EHR said that one is made (201), or is taken and done later (202), and not where. */
  readonly isTaken: boolean;
  /** A person has looked for it since, and has not found it. It is looked for on, and no more waited for. */
  readonly isLookedFor?: true;
}

export type BegunWrite = Pick<OpenWrite, 'kind' | 'target' | 'terms' | 'isUnguarded'> & { readonly patient: string };

/** What is known of writes by the time a delivery is filed. */
export interface Placed {
  /** Were answered with the place of what they made or changed. */
  readonly answered: readonly BegunWrite[];
  /** Targets of changes of which one was seen done; null: of all that one transaction changes. */
  readonly done: readonly (string | null)[];
  /** Charts in which a search has found one. */
  readonly found: ReadonlySet<string>;
  /** Charts in which a search has shown what is known, and nothing beside it. */
  readonly alone: ReadonlySet<string>;
}

export function withBegun(open: readonly OpenWrite[], write: BegunWrite): readonly OpenWrite[] {
  const before = open.find((one) => isNew(one, write));
  const times = (before?.times ?? 0) + 1;
  return [
    ...open.filter((one) => one !== before),
    {
      ...write,
      times,
      at: null,
      ageMs: 0,
      isTaken: before?.isTaken ?? false,
      ...(before?.unheard === undefined ? {} : { unheard: before.unheard }),
    },
  ];
}

/** It was not answered at all. */
export function withUnheard(open: readonly OpenWrite[], write: BegunWrite): readonly OpenWrite[] {
  return open.map((one) => (isNew(one, write) ? { ...one, unheard: (one.unheard ?? 0) + 1 } : one));
}

/** How often in its group nothing was heard of it. */
export function unheardOf(open: readonly OpenWrite[], write: BegunWrite): number {
  return open.find((one) => isNew(one, write))?.unheard ?? 0;
}

/** One of them was not carried out. Those before it may stand all the same. */
export function withRefused(open: readonly OpenWrite[], write: BegunWrite): readonly OpenWrite[] {
  return open.flatMap((one) => (isNew(one, write) ? lessOne(one) : one));
}

export function withTaken(open: readonly OpenWrite[], write: BegunWrite): readonly OpenWrite[] {
  return open.map((one) => (isNew(one, write) ? { ...one, isTaken: true } : one));
}

/** A person has looked for those that were sent before that moment. */
export function lookedFor(open: readonly OpenWrite[], askedAtMs: number): readonly OpenWrite[] {
  const isBefore = ({ at }: OpenWrite): boolean => at !== null && Date.parse(at) < askedAtMs;
  return open.map((one) => (isBefore(one) ? { ...one, isLookedFor: true } : one));
}

/** What is left once a delivery is filed: all but what is known, and changes that could still go over a later one. */
export function leftOpen(open: readonly OpenWrite[], { answered, done, found, alone }: Placed): readonly OpenWrite[] {
  let left = answered.reduce(withRefused, open);
  for (const target of done) left = withDone(left, target);
  left = left.filter((one) => one.kind !== 'change' || mayUndo(one));
  for (const { kind, patient } of answered) if (kind === 'create-once') left = withConditions(left, patient);
  for (const patient of found) left = withFound(left, patient);
  for (const patient of alone) left = withConditions(left, patient);
  return left;
}

/**
 * Whether a write, carried out after another one, would go over that: it names no version, or the EHR has taken it and may have looked at its version
 * then. Any other change is refused by its version.
 */
export function mayUndo({ kind, isTaken, isUnguarded, isLookedFor }: OpenWrite): boolean {
  return isLookedFor !== true && (isUnguarded === true || (kind === 'change' && isTaken));
}

/** Once a later version was filed, which has waited for them, writes of earlier ones undo nothing any more. */
export function withoutUndoing(open: readonly OpenWrite[]): readonly OpenWrite[] {
  return open.filter(({ kind }) => kind !== 'change').map(({ isUnguarded: _, ...one }) => one);
}

/** What stands there is what one of these changes makes of it. */
function withDone(open: readonly OpenWrite[], target: string | null): readonly OpenWrite[] {
  const of = open.filter((one) => one.kind === 'change' && (one.target ?? null) === target);
  const one = of.find(({ isLookedFor }) => isLookedFor !== true) ?? of[0];
  return open.flatMap((write) => (write === one ? lessOne(write) : write));
}

/** A search has found one in this chart: which of them is not known. */
export function withFound(open: readonly OpenWrite[], patient: string): readonly OpenWrite[] {
  const left = withOneFound(open, patient);
  return open.some((one) => isOf(one, { patient, kind: 'create-once' })) ? withConditions(left, patient) : left;
}

/** As `withFound`; the others of this chart are waited for. */
export function withOneFound(open: readonly OpenWrite[], patient: string): readonly OpenWrite[] {
  const creates = open.filter((one) => isOf(one, { patient, kind: 'create' }));
  const one =
    open.find((write) => isOf(write, { patient, kind: 'create-once' })) ??
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
  const isOver = (one: OpenWrite): boolean => isOf(one, { patient, kind: 'create-once' }) && one.isUnguarded !== true;
  return open.map((one) => (isOver(one) ? { ...one, isLookedFor: true } : one));
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
  const isSame = isOf(one, write) && one.target === write.target && one.isUnguarded === write.isUnguarded;
  return isSame && isBy(one, write.terms) && one.isLookedFor !== true;
}

/** Whether a write was made by these settings; undefined: by those that are not known. */
export function isBy({ terms }: Pick<OpenWrite, 'terms'>, other: WriteTerms | undefined): boolean {
  return isDeepStrictEqual(terms, other);
}

function isOf(one: OpenWrite, { patient, kind }: Pick<BegunWrite, 'patient' | 'kind'>): boolean {
  return one.patient === patient && one.kind === kind;
}
