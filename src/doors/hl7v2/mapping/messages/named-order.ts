import type { Identifier, ServiceRequest } from '@medplum/fhirtypes';
import { ACCESSION, FILLER, PLACER } from '../../../../reports/index.js';
import { accessionOf, fillerOf, sameKeyOf, systemValueOf, type SystemValue } from '../reading/identifiers.js';
import type { Reading } from '../reading/message-reading.js';
import type { OrderGroup } from '../reading/order-groups.js';
import type { PlannedPatient } from '../resources/patient.mapper.js';
import { hasPanel, isBegun, isOpen } from '../resources/service-request.mapper.js';
import { placerOf } from './read-order.js';

/** The numbers by which a message calls an order; null: it has none of that kind. */
export interface OrderNumbers {
  readonly placer: SystemValue | null;
  /** Of another filler than this service. */
  readonly filler: SystemValue | null;
  /** Of its pictures; several orders may have it. */
  readonly accession: SystemValue | null;
}

/** ORC-2 or OBR-2, ORC-3 or OBR-3, and IPC-1 or the field that the source names. */
export function orderNumbersOf(reading: Reading, group: OrderGroup): OrderNumbers {
  return {
    placer: placerOf(reading, group),
    filler: fillerOf(reading, group.orc) ?? fillerOf(reading, group.obr),
    accession: accessionOf(reading, group),
  };
}

/**
 * The order with the placer's number; where there is none, the patient's with the filler's or else the accession number, unless its placer calls it
 * otherwise. null: none that is known. Of several with one accession number an order of a wound assessment counts. An order of another patient is the caller's to refuse. Of two orders by one number the one that was ordered counts. An order that
 * states a number of the patient is of them, also where nobody had the number when it came.
 */
export async function findOrder(
  reading: Reading,
  { placer, filler, accession }: OrderNumbers,
  patient: PlannedPatient,
): Promise<ServiceRequest | null> {
  const { records, source } = reading;
  const isOfPatient = ({ subject }: ServiceRequest): boolean => subject?.reference === patient.reference;
  const carrying = async (number: SystemValue | null, type: string): Promise<ServiceRequest[]> => {
    if (number === null) return [];
    const found = await records.findByIdentifier<ServiceRequest>(source, 'ServiceRequest', [number]);
    return found
      .filter((order) => numbersIn(order, type).some((one) => isSame(reading, one, number)))
      .map((order) => asStated(reading, order, patient));
  };
  const placed = await carrying(placer, PLACER.code);
  if (placed.length > 0)
    return placed.find((order) => isOfPatient(order) && !isBegun(order)) ?? placed.find(isOfPatient) ?? placed[0]!;
  const isNotOtherwise = (order: ServiceRequest): boolean =>
    isOfPatient(order) && (placer === null || namedBy(order, PLACER.code).length === 0);
  const filled = (await carrying(filler, FILLER.code)).find(isNotOtherwise);
  if (filled !== undefined || accession === null) return filled ?? null;
  const filed = (await carrying(accession, ACCESSION.code)).filter(isNotOtherwise);
  return filed.find((order) => isOpen(order) && hasPanel(order)) ?? filed[0] ?? null;
}

/** The order as of the patient, where its subject is nobody's record and has a number of theirs. */
function asStated(reading: Reading, order: ServiceRequest, { reference, identifiers }: PlannedPatient): ServiceRequest {
  const { reference: said = '', identifier } = order.subject ?? {};
  if (said.startsWith('Patient/')) return order;
  const within = order.contained?.find(({ id }) => said === `#${id}`);
  const stated = [identifier ?? [], within?.resourceType === 'Patient' ? (within.identifier ?? []) : []].flat();
  const own = new Set(identifiers.map((number) => sameKeyOf(reading, systemValueOf(number))));
  if (!stated.some((number) => own.has(sameKeyOf(reading, systemValueOf(number))))) return order;
  const { contained, ...content } = order;
  const kept = contained?.filter((one) => one !== within) ?? [];
  return { ...content, ...(kept.length === 0 ? {} : { contained: kept }), subject: { ...order.subject, reference } };
}

/** Identifiers in use that may be numbers of this kind: of its type, or without a type. */
function numbersIn({ identifier = [] }: ServiceRequest, type: string): Identifier[] {
  return identifier.filter(
    ({ use, type: said }) => use !== 'old' && (said?.coding === undefined || isTyped(said, type)),
  );
}

function namedBy({ identifier = [] }: ServiceRequest, type: string): Identifier[] {
  return identifier.filter(({ use, type: said }) => use !== 'old' && isTyped(said, type));
}

function isTyped(said: Identifier['type'], type: string): boolean {
  return said?.coding?.some(({ code }) => code === type) === true;
}

function isSame(reading: Reading, identifier: Identifier, number: SystemValue): boolean {
  return sameKeyOf(reading, systemValueOf(identifier)) === sameKeyOf(reading, number);
}
