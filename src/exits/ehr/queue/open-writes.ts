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
}

export type BegunWrite = Pick<OpenWrite, 'kind'> & { readonly patient: string };

export function withBegun(open: readonly OpenWrite[], { patient, kind }: BegunWrite): readonly OpenWrite[] {
  const before = open.find((one) => isOf(one, { patient, kind }));
  const times = (before?.times ?? 0) + 1;
  return [
    ...open.filter((one) => one !== before),
    { patient, kind, times, at: null, ageMs: 0, isTaken: before?.isTaken ?? false },
  ];
}

/** One of them was not carried out. Those before it may stand all the same. */
export function withRefused(open: readonly OpenWrite[], write: BegunWrite): readonly OpenWrite[] {
  return open.flatMap((one) => (isOf(one, write) ? lessOne(one) : one));
}

export function withTaken(open: readonly OpenWrite[], write: BegunWrite): readonly OpenWrite[] {
  return open.map((one) => (isOf(one, write) ? { ...one, isTaken: true } : one));
}

/**
 * What is left once a delivery is filed. `charts`: those where what it created has a place now, which is what became of one of the creates there, and
 * of all that had a condition. Any other create may still be carried out. Changes are done.
 */
export function leftOpen(open: readonly OpenWrite[], charts: ReadonlySet<string>): readonly OpenWrite[] {
  const isPlaced = ({ patient }: OpenWrite): boolean => patient === null || charts.has(patient);
  return open.flatMap((one) => {
    if (one.kind === 'change') return [];
    if (charts.size === 0 || !isPlaced(one)) return [one];
    return one.kind === 'create-once' ? [] : lessOne(one);
  });
}

/** Of the creates that may have reached this chart; those of an unknown chart may. */
export function createsIn(open: readonly OpenWrite[], patient: string): readonly OpenWrite[] {
  return open.filter((one) => one.kind !== 'change' && (one.patient === null || one.patient === patient));
}

function lessOne(one: OpenWrite): readonly OpenWrite[] {
  return one.times > 1 ? [{ ...one, times: one.times - 1 }] : [];
}

function isOf(one: OpenWrite, { patient, kind }: BegunWrite): boolean {
  return one.patient === patient && one.kind === kind;
}
