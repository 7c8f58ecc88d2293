import { identifyingNumbers } from '../../../../core/patients/patient-numbers.js';
import type { Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import { identifierOfCx, numberOf, type SystemValue } from '../reading/identifiers.js';
import type { ReceivedOrder } from '../../../../standards/hl7v2/records/received-orders.js';
import type { Reading } from '../reading/message-reading.js';
import type { OrderGroup, PatientSection } from '../reading/order-groups.js';
import {
  fieldWithStandardDelimiters,
  segmentWithStandardDelimiters,
} from '../../../../standards/hl7v2/er7/standard-delimiters.js';

/** The placer's number: ORC-2, else OBR-2; null: there is none, or it is refused. */
export function placerOf(reading: Reading, { orc, obr }: OrderGroup): SystemValue | null {
  return numberOf(reading, orc, 2) ?? numberOf(reading, obr, 2);
}

/** The parts of the order that results and answers repeat. */
export function receivedOrderOf(
  reading: Reading,
  { pid, pv1 }: PatientSection,
  { orc, obr }: OrderGroup,
  placer: SystemValue | null,
): ReceivedOrder {
  const { message } = reading;
  const field = (segment: Er7Segment | null, position: number): string =>
    segment === null ? '' : fieldWithStandardDelimiters(message, segment.field(position));
  return {
    placerSystem: placer?.system ?? '',
    placerValue: placer?.value ?? '',
    orc2: field(orc, 2) || field(obr, 2),
    orc12: field(orc, 12),
    obr4: field(obr, 4),
    obr16: field(obr, 16),
    obr31: field(obr, 31),
    pid: patientOf(reading, pid),
    pv1: segmentWithStandardDelimiters(message, pv1),
  };
}

/** PID as received, except that the identifying numbers come first in PID-3, since receivers take the first. */
function patientOf(reading: Reading, pid: Er7Segment | null): string {
  const raw = segmentWithStandardDelimiters(reading.message, pid);
  const numbers = pid?.field(3).repetitions.map((_, index) => identifierOfCx(reading, pid, 3, index)) ?? [];
  const known = identifyingNumbers(numbers.flatMap((number) => number ?? []));
  const fields = raw.split('|');
  const stated = (fields[3] ?? '').split('~');
  if (stated.length < 2 || stated.length !== numbers.length) return raw;
  const isKnown = (_: string, index: number): boolean => known.includes(numbers[index]!);
  fields[3] = [...stated.filter(isKnown), ...stated.filter((one, index) => !isKnown(one, index))].join('~');
  return fields.join('|');
}
