/** What a write may leave. `create`: something new at every try; `create-once`: something new, unless its condition finds it; `change`: nothing new. */
export type WriteKind = 'create' | 'create-once' | 'change';

/** Writes of one kind to one chart that may stand there, or be carried out yet, without their places being known. */
export interface OpenWrite {
  /** `Patient/id` in whose chart; null: not known. */
  readonly patient: string | null;
  readonly kind: WriteKind;
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

export type BegunWrite = Pick<OpenWrite, 'kind'> & { readonly patient: string };

/** What is known of the places of creates. */
export interface Placed {
  /** Was answered with the place of what it made. */
  readonly answered: BegunWrite | null;
  /** Charts in which a search has found one. */
  readonly found: ReadonlySet<string>;
}

export function withBegun(open: readonly OpenWrite[], { patient, kind }: BegunWrite): readonly OpenWrite[] {
  const before = open.find((one) => isNew(one, { patient, kind }));
  const times = (before?.times ?? 0) + 1;
  return [
    ...open.filter((one) => one !== before),
    { patient, kind, times, at: null, ageMs: 0, isTaken: before?.isTaken ?? false },
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
  if (answered?.kind === 'create') left = withRefused(left, answered);
  // Those with a condition find what was made.
  if (answered?.kind === 'create-once') left = left.filter((one) => !isOf(one, answered));
  for (const patient of found) left = withFound(left, patient);
  return left;
}

/** A search has found one in this chart: which of them is not known. Those with a condition find it, too. */
export function withFound(open: readonly OpenWrite[], patient: string): readonly OpenWrite[] {
  const once = open.filter((one) => isOf(one, { patient, kind: 'create-once' }));
  if (once.length > 0) return open.filter((one) => !once.includes(one));
  const creates = open.filter((one) => isOf(one, { patient, kind: 'create' }));
  const one =
    creates.find(({ isLookedFor }) => isLookedFor === true) ??
    creates[0] ??
    open.find((write) => write.patient === null && write.kind !== 'change');
  return open.flatMap((write) => (write === one ? lessOne(write) : write));
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
  return isOf(one, write) && one.isLookedFor !== true;
}

function isOf(one: OpenWrite, { patient, kind }: BegunWrite): boolean {
  return one.patient === patient && one.kind === kind;
}
