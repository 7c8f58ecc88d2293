import type { Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import type { ProblemCode } from '../../../../standards/hl7v2/problems/problem-catalogue.js';

/** What became of a kept message before it is read once more. */
export interface EarlierHandling {
  /**
   * `replayed`: it is read as if it came now. The others are reprocessed, by which nothing that came later is undone; `untouched`: nothing of it
   * was carried out; `taken`: its changes are part of the records, and only what was left out is added.
   */
  readonly kind: 'replayed' | 'untouched' | 'taken';
  readonly receivedAt: Date;
  /** Its warnings then. */
  readonly problems: readonly Hl7Problem[];
  /** The images of the photos that it names by URL, in their order. */
  readonly pointedImageIds: readonly string[];
  /** SHA-256 (hex) of photos of an `untouched` one that a message which was received later, and taken, brought as well. */
  readonly broughtSince: readonly string[];
}

/** Warnings of what was left out, which is looked at anew; others are about how it was read. */
export const LEFT_OUT: readonly string[] = [
  'finding.kept',
  'code.unknown',
  'order.not_an_analysis',
  'message.not_carried_out',
] satisfies ProblemCode[];

/** Whether the row is to be taken over: not where that was done before. */
export function isStillToDo(earlier: EarlierHandling | null, { name, sequence }: Er7Segment): boolean {
  return (
    earlier?.kind !== 'taken' ||
    earlier.problems.some(
      ({ code, place }) => code === 'finding.kept' && place?.segment === name && place.sequence === sequence,
    )
  );
}

/** Whether the record has changed since the message came, so that what the message says of it is no longer the latest. */
export function isOutdatedBy(
  earlier: EarlierHandling | null,
  record: { readonly meta?: { readonly lastUpdated?: string } },
): boolean {
  if (earlier === null || earlier.kind === 'replayed') return false;
  const changed = record.meta?.lastUpdated;
  return earlier.kind === 'taken' || changed === undefined || new Date(changed) > earlier.receivedAt;
}
