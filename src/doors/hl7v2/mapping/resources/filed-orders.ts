import type { ServiceRequest } from '@medplum/fhirtypes';
import type { Reading } from '../reading/message-reading.js';
import type { SortedRow } from '../reading/observation-rows.js';
import type { PlannedResource } from '../plan/plan-draft.js';
import { filedPhotos } from './repeated-photo.js';

/**
 * Where a message without a known order number is read once more: the order that its photos have already; `asked`: all of them are analysed without
 * one; null: there is a photo that needs an order.
 */
export async function orderOfFiledPhotos(
  reading: Reading,
  patient: PlannedResource,
  rows: readonly SortedRow[],
): Promise<ServiceRequest | 'asked' | null> {
  let isAsked = true;
  for (const row of rows) {
    if (row.kind !== 'file') continue;
    for (const attachment of row.attachments.filter(({ kind }) => kind === 'image')) {
      const filed = await filedPhotos(reading, patient, attachment);
      for (const id of filed.flatMap(({ orderIds }) => orderIds)) {
        const order = await reading.records.read<ServiceRequest>(reading.source, 'ServiceRequest', id);
        if (order !== null) return order;
      }
      isAsked &&= filed.some(({ analysis }) => analysis === 'alive');
    }
  }
  return isAsked ? 'asked' : null;
}
