import type { Er7Segment } from '../er7/index.js';
import { numberOf, type SystemValue } from './identifiers.js';
import type { OrderEcho } from './inbound-plan.js';
import type { Reading } from './message-reading.js';
import type { OrderGroup, PatientSection } from './order-groups.js';
import { restatedField, restatedSegment } from './restated.js';

/** The placer's number: ORC-2, else OBR-2; null: there is none, or it is refused. */
export function placerOf(reading: Reading, { orc, obr }: OrderGroup): SystemValue | null {
  return numberOf(reading, orc, 2) ?? numberOf(reading, obr, 2);
}

/** What results of the order and answers to it repeat. */
export function echoOf({ message }: Reading, { pid, pv1 }: PatientSection, { orc, obr }: OrderGroup, placer: SystemValue | null): OrderEcho {
  const field = (segment: Er7Segment | null, position: number): string => (segment === null ? '' : restatedField(message, segment.field(position)));
  return {
    placerSystem: placer?.system ?? '',
    placerValue: placer?.value ?? '',
    orc2: field(orc, 2) || field(obr, 2),
    orc12: field(orc, 12),
    obr4: field(obr, 4),
    obr16: field(obr, 16),
    obr31: field(obr, 31),
    pid: restatedSegment(message, pid),
    pv1: restatedSegment(message, pv1),
  };
}
