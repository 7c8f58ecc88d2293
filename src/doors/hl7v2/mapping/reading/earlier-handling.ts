import type { Resource } from '@medplum/fhirtypes';
import type { Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import type { ProblemCode } from '../../../../standards/hl7v2/problems/problem-catalogue.js';

/** What older messages have written that were read once more right before this one. */
export interface WrittenInRun {
  /** When a record was last changed by anything else, null: never; undefined: they are not the last who changed it. */
  changedBefore(record: Resource): Date | null | undefined;
}

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
  /** null: it is read once more alone. */
  readonly run: WrittenInRun | null;
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

/**
 * Whether the record has changed since the message came, so that what the message says of it is no longer the latest. What an older message of the same
 * run has just written is none that came later.
 */
export function isOutdatedBy(earlier: EarlierHandling | null, record: Resource): boolean {
  if (earlier === null || earlier.kind === 'replayed') return false;
  if (earlier.kind === 'taken') return true;
  const before = earlier.run?.changedBefore(record);
  if (before !== undefined) return before !== null && before > earlier.receivedAt;
  const changed = record.meta?.lastUpdated;
  return changed === undefined || new Date(changed) > earlier.receivedAt;
}
