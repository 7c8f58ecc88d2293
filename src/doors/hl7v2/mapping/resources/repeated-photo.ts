import { createHash } from 'node:crypto';
import type { RowAttachment } from '../reading/attachments.js';
import type { Reading } from '../reading/message-reading.js';
import type { PlannedResource } from '../plan/plan-draft.js';

const ORDER_PREFIX = 'ServiceRequest/';

/**
 * Plans the photo of an order by `make`, unless the order has a photo of these bytes already: a resent photo is neither
 * analysed nor charged again. A photo named by its URL has no known bytes yet.
 */
export async function oncePerOrder(
  reading: Reading,
  order: PlannedResource | null,
  { content, place }: RowAttachment,
  make: () => PlannedResource,
): Promise<PlannedResource> {
  if (order === null || !('bytes' in content)) return make();
  const { draft, records, source } = reading;
  const sha256 = createHash('sha256').update(content.bytes).digest('hex');
  let isNew = false;
  const photo = await draft.once(`Media ${order.reference} ${sha256}`, async () => {
    const orderId = order.reference.startsWith(ORDER_PREFIX) ? order.reference.slice(ORDER_PREFIX.length) : null;
    const known = orderId === null ? null : await records.photoOfOrder(source, { orderId, sha256 });
    if (known !== null) return { reference: `Media/${known}`, entry: null };
    if (orderId !== null) draft.addPhoto({ orderId, sha256 });
    isNew = true;
    return make();
  });
  if (!isNew) draft.warn('photo.exists', place);
  return photo!;
}
