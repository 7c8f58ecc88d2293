import type { DocumentReference } from '@medplum/fhirtypes';
import type { Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import { CHANGED_SINCE } from '../../../../standards/hl7v2/problems/problem-catalogue.js';
import { isOutdatedBy } from '../reading/earlier-handling.js';
import { numberOf, type SystemValue } from '../reading/identifiers.js';
import { placeIn, type Reading } from '../reading/message-reading.js';

/** TXA-12; null where there is none, which is refused. */
export function documentNumber(reading: Reading, txa: Er7Segment): SystemValue | null {
  const number = numberOf(reading, txa, 12);
  if (number === null && !reading.draft.isRefused)
    reading.draft.refuse('field.required', placeIn(txa, 12), 'TXA-12 has the number of the document.');
  return number;
}

/** TXA-13; null where there is none. */
export function parentNumber(reading: Reading, txa: Er7Segment): SystemValue | null {
  return numberOf(reading, txa, 13);
}

/**
 * Whether nothing is written of a document that is read once more, since what came later would be undone: it was changed since, also by what cancels
 * it, or the one that it replaces was. The message stays refused, so that a person sees it.
 */
export async function isDocumentLeft(
  { draft, earlier, records, source }: Reading,
  txa: Er7Segment,
  number: SystemValue,
  replaced: SystemValue | null,
): Promise<boolean> {
  if (earlier === null || earlier.kind === 'replayed') return false;
  const known = async (of: SystemValue): Promise<DocumentReference | undefined> =>
    (await records.findByIdentifier<DocumentReference>(source, 'DocumentReference', [of]))[0];
  const existing = await known(number);
  // What was left out of a message that was taken is added to its document, unless that was cancelled since.
  if (earlier.kind === 'taken') return existing?.status === 'entered-in-error';
  if (existing !== undefined) {
    const isLeft = isOutdatedBy(earlier, existing);
    if (isLeft) draft.refuse('message.not_carried_out', placeIn(txa, 12), CHANGED_SINCE);
    return isLeft;
  }
  const parent = replaced === null ? undefined : await known(replaced);
  if (parent === undefined || !isOutdatedBy(earlier, parent)) return false;
  draft.refuse('message.not_carried_out', placeIn(txa, 13), CHANGED_SINCE);
  return true;
}
