import type { ServiceRequest } from '@medplum/fhirtypes';
import type { Reading } from '../reading/message-reading.js';
import type { SortedRow } from '../reading/observation-rows.js';
import type { PlannedResource } from '../plan/plan-draft.js';
import type { FileContext } from './photo.mapper.js';
import { filedPhotos, looseAmong } from './repeated-photo.js';

/**
 * Where a message whose order number is not known, or that has none, is read once more: the order that its photos have already, which no number
 * names; `asked`: all of them are analysed without one; null: there is a photo that needs an order.
 */
export async function orderOfFiledPhotos(
  reading: Reading,
  patient: PlannedResource,
  rows: readonly SortedRow[],
  numbers: FileContext['numbers'],
): Promise<ServiceRequest | 'asked' | null> {
  let isAsked = true;
  for (const row of rows) {
    if (row.kind !== 'file') continue;
    for (const attachment of row.attachments.filter(({ kind }) => kind === 'image')) {
      const filed = await filedPhotos(reading, patient, attachment);
      const standing = filed.filter(({ analysis }) => analysis !== 'withdrawn');
      const loose = looseAmong(reading, standing, numbers) ?? looseAmong(reading, filed, numbers);
      const ofOthers = loose === undefined && numbers.placer === null ? filed.flatMap(({ orderIds }) => orderIds) : [];
      for (const id of ofOthers) {
        const order = await reading.records.read<ServiceRequest>(reading.source, 'ServiceRequest', id);
        if (order !== null) return order;
      }
      isAsked &&= loose?.analysis === 'alive' || loose?.analysis === 'withdrawn';
    }
  }
  return isAsked ? 'asked' : null;
}
