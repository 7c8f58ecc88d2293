import type { Resource } from '@medplum/fhirtypes';
import type { Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import type { ProblemCode } from '../../../../standards/hl7v2/problems/problem-catalogue.js';

/** What was said after a message, of what it is about. */
export interface NextStatements {
  /** SHA-256 (hex) of its photos that a message which was received later, and taken, brought as well. */
  readonly broughtSince: readonly string[];
  /** Types of records of which a later message was taken that names a patient or an order of this one: whether it changed them or not, it says how they are. */
  readonly saidSince: readonly Resource['resourceType'][];
  /** Those of these versions (`Type/id/version`) that an older message wrote which was itself read once more. */
  saidBefore(versions: readonly string[]): Promise<ReadonlySet<string>>;
}

/** What became of a kept message before it is read once more. */
export interface EarlierHandling {
  /**
   * `replayed`: it is read as if it came now. The others are reprocessed, by which nothing that came later is undone; `untouched`: nothing of it
   * was carried out; `taken`: its changes are part of the records, and only what was left out is added.
   */
  readonly kind: 'replayed' | 'untouched' | 'taken';
  readonly receivedAt: Date;
  /** When it was first read, or else received: what was written until then it would have written over. */
  readonly standsFrom: Date;
  /** Its warnings then. */
  readonly problems: readonly Hl7Problem[];
  /** The images of the photos that it names by URL, in their order. */
  readonly pointedImageIds: readonly string[];
  /** null: it counts as the latest. */
  readonly later: NextStatements | null;
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
 * Whether something was said of the record since the message came, so that what the message says of it is no longer the latest. What older messages
 * said is no later for being done late (TimedRecords).
 */
export function isOutdatedBy(earlier: EarlierHandling | null, { resourceType, meta }: Resource): boolean {
  if (earlier === null || earlier.kind === 'replayed') return false;
  if (earlier.kind === 'taken' || earlier.later?.saidSince.includes(resourceType) === true) return true;
  return meta?.lastUpdated === undefined || new Date(meta.lastUpdated) > earlier.standsFrom;
}

/** Whether what the message says of a record is left, and a person has to know: it was never carried out, and is outdated. */
export function isLeftAsOutdated(earlier: EarlierHandling | null, record: Resource): boolean {
  return earlier?.kind === 'untouched' && isOutdatedBy(earlier, record);
}
