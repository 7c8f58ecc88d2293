import { fileTypeOf } from '../../../../standards/hl7v2/er7/encapsulated-data.js';
import { tableCodeOf } from '../reading/code-maps.js';
import { placeIn, type Reading } from '../reading/message-reading.js';
import type { OrderGroup } from '../reading/order-groups.js';

/**
 * Whether the group brings earlier results with an order (PRIOR_RESULT): ORC-1 says PR or, behind a second PID, an OBR
 * without ORC has a result status or rows without files. They order nothing; the acknowledgment says that they were ignored.
 */
export function isEarlierResult(
  { draft, message, source }: Reading,
  { orc, obr, rows }: OrderGroup,
  isBehindSecondPid: boolean,
): boolean {
  const isEarlier =
    orc === null
      ? isBehindSecondPid && obr !== null && (obr.field(25).state === 'valued' || hasPlainRows(rows, message))
      : tableCodeOf(source.codes, 'ORC-1', orc) === 'PR';
  if (isEarlier) draft.warn('finding.earlier', placeIn((orc ?? obr)!));
  return isEarlier;
}

function hasPlainRows(rows: OrderGroup['rows'], { delimiters }: Reading['message']): boolean {
  return rows.length > 0 && rows.every(({ obx }) => fileTypeOf(obx, delimiters) === null);
}
