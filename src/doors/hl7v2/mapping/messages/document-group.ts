import { fileTypeOf } from '../../../../standards/hl7v2/er7/encapsulated-data.js';
import type { Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import { keyOf } from '../reading/identifiers.js';
import type { Reading } from '../reading/message-reading.js';
import type { OrderGroup, PatientSection } from '../reading/order-groups.js';
import { placerOf } from './read-order.js';

/** The segment that names another order than the first one does. */
export function secondOrderOf(reading: Reading, section: PatientSection | undefined): Er7Segment | null {
  const [first, ...others] = (section?.groups ?? []).flatMap((group) => {
    const placer = placerOf(reading, group);
    return placer === null ? [] : { key: keyOf(placer), segment: group.orc ?? group.obr };
  });
  return others.find(({ key }) => key !== first?.key)?.segment ?? null;
}

/** All rows of the message belong to its one document. */
export function wholeGroup(section: PatientSection | undefined): OrderGroup {
  const groups = section?.groups ?? [];
  const first = groups[0];
  return {
    orc: first?.orc ?? null,
    obr: first?.obr ?? null,
    timing: null,
    imaging: first?.imaging ?? null,
    notes: first?.notes ?? [],
    rows: groups.flatMap(({ rows }) => rows),
    procedures: groups.flatMap(({ procedures }) => procedures),
  };
}

const TEXT_TYPES: readonly string[] = ['TX', 'FT', 'ST'];

/** Whether the row is text of the document, not a file or a fact about the wound. */
export function isText({ message }: Reading, obx: Er7Segment): boolean {
  const type = obx.field(2).text.trim();
  return (
    TEXT_TYPES.includes(type) &&
    fileTypeOf(obx, message.delimiters) === null &&
    !/^wound-(?:id|site|side|type)$/i.test(obx.field(3).text.trim())
  );
}
