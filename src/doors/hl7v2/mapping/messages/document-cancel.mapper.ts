import type { DocumentReference, Media } from '@medplum/fhirtypes';
import { CHANGED_SINCE } from '../../../../standards/hl7v2/problems/problem-catalogue.js';
import { isOutdatedBy } from '../reading/earlier-handling.js';
import { placeIn, type Reading } from '../reading/message-reading.js';
import { documentNumber } from './named-document.js';

/** MDM^T11: marks the document and its photos as entered in error. */
export async function planDocumentCancel(reading: Reading): Promise<void> {
  const { message, draft, records, source, earlier } = reading;
  if (earlier?.kind === 'taken') return;
  const txa = message.segment('TXA');
  if (txa === null)
    return void draft.refuse(
      'segment.missing',
      { segment: 'TXA', sequence: 1 },
      'A document message has a TXA segment.',
    );
  const number = documentNumber(reading, txa);
  if (number === null) return;
  const [document] = await records.findByIdentifier<DocumentReference>(source, 'DocumentReference', [number]);
  if (document === undefined) return void draft.refuse('document.unknown', placeIn(txa, 12));
  const isCancelled = document.status === 'entered-in-error';
  if (isOutdatedBy(earlier, document)) {
    if (!isCancelled) draft.refuse('message.not_carried_out', placeIn(txa, 12), CHANGED_SINCE);
    return;
  }
  if (!isCancelled) draft.change({ ...document, status: 'entered-in-error' }, placeIn(txa, 12));
  const photos = new Set(
    (document.context?.related ?? []).flatMap(({ reference }) =>
      reference?.startsWith('Media/') === true ? [reference.slice('Media/'.length)] : [],
    ),
  );
  for (const id of photos) {
    const media = await records.read<Media>(source, 'Media', id);
    if (media !== null && media.status !== 'entered-in-error')
      draft.change({ ...media, status: 'entered-in-error' }, placeIn(txa, 12));
  }
}
