import type { MessageWriter } from '../../../standards/hl7v2/er7/message-writer.js';
import type { ReceivedOrder } from '../../../standards/hl7v2/records/received-orders.js';
import { authorityOf, type Authorities } from '../settings/authorities.js';
import { lookUp } from '../../../standards/hl7v2/er7/table-lookup.js';
import type { DestinationSettings } from '../settings/hl7-destination.js';
import { ROW } from '../settings/local-codes.js';

/** Values used of table 0038: in process, completed, cancelled; "" leaves ORC-5 empty. */
export type OrderStatus = 'IP' | 'CM' | 'CA' | '';
/** Values used of table 0123. */
export type ResultStatus = 'P' | 'F' | 'C' | 'X';

/** The content of ORC and OBR. Times are formatted. */
export interface OrderFacts {
  /** null: there is no order, or it was of another patient. */
  readonly received: ReceivedOrder | null;
  /** OBR-1. */
  readonly place: number;
  /** Raw, of `placerOf`. */
  readonly placer: string;
  /** Id of the analysis; for a result that moved to another patient, of the report. */
  readonly fillerId: string;
  readonly orderStatus: OrderStatus;
  readonly resultStatus: ResultStatus;
  readonly orderCode: 'placer' | 'loinc';
  /** The receiver's own codes, and what it wants in a field whatever the result. */
  readonly receiver: Pick<DestinationSettings, 'codes' | 'constants'>;
  readonly sentAt: string;
  readonly capturedAt: string;
  readonly issuedAt: string;
  /** OBR-32, raw. */
  readonly interpreter: string;
}

/** Components of one coding. */
const CODING = 3;

/** Our own application as an assigning authority. */
export const SUTURA_AUTHORITY = ['SUTURA', 'sutura.dev', 'DNS'] as const;

export function toOrderSegment(
  writer: MessageWriter,
  { received, placer, fillerId, orderStatus, sentAt }: OrderFacts,
): string {
  return writer.segment('ORC', {
    1: 'RE',
    2: placer,
    3: fillerOf(writer, fillerId),
    5: orderStatus,
    9: sentAt,
    12: received?.orc12 ?? '',
  });
}

export function toRequestSegment(writer: MessageWriter, facts: OrderFacts): string {
  const { received, receiver, place, placer, fillerId, resultStatus, capturedAt, issuedAt, interpreter } = facts;
  return writer.segment('OBR', {
    1: String(place),
    2: placer,
    3: fillerOf(writer, fillerId),
    4: codeOf(writer, facts),
    7: capturedAt,
    16: receiver.constants['OBR-16'] ?? orderedBy(received),
    22: issuedAt,
    24: receiver.constants['OBR-24'] ?? 'NRS',
    25: resultStatus,
    31: received?.obr31 ?? '',
    32: interpreter,
  });
}

/** The placer's number, raw: as in the order, or else made of its value and assigning authority. */
export function placerOf(writer: MessageWriter, received: ReceivedOrder | null, authorities: Authorities): string {
  if (received === null || received.orc2 !== '' || received.placerValue === '') return received?.orc2 ?? '';
  // Components of EI are the subcomponents of an authority in CX.
  return writer.components(
    writer.text(received.placerValue),
    ...authorityOf(writer, received.placerSystem, authorities).split('&'),
  );
}

/** PV1 of the order, raw, with U in PV1-2 where it is empty, since the field is required. "" without a PV1. */
export function toVisitSegment(writer: MessageWriter, received: ReceivedOrder | null): string {
  if (received === null || received.pv1 === '') return '';
  const fields = received.pv1.split('|').slice(1);
  const numbered = Object.fromEntries(fields.map((field, index) => [index + 1, field] as const));
  return writer.segment('PV1', {
    ...numbered,
    1: '1',
    2: fields[1] === undefined || fields[1] === '' ? 'U' : fields[1],
  });
}

/** The ordering provider as the order has it: OBR-16, else ORC-12. */
function orderedBy(received: ReceivedOrder | null): string {
  return received === null || received.obr16 !== '' ? (received?.obr16 ?? '') : received.orc12;
}

function fillerOf(writer: MessageWriter, id: string): string {
  return writer.components(id, ...SUTURA_AUTHORITY);
}

/** The placer's code stays first, since receivers look for what they ordered; LOINC becomes the alternate. */
function codeOf(writer: MessageWriter, { received, orderCode, receiver }: OrderFacts): string {
  const { codes, constants } = receiver;
  const ordered = (received?.obr4 ?? '').split('^').slice(0, CODING);
  const isOwn = ordered[0] === ROW.panel.code || (ordered[0] ?? '') === '';
  const stated =
    constants['OBR-4'] ??
    lookUp(codes.services, ordered[0] ?? '') ??
    (isOwn ? lookUp(codes.services, ROW.panel.code) : undefined);
  if (stated !== undefined)
    return writer.components(...[...stated.split('^'), '', ''].slice(0, CODING), writer.coded(ROW.panel));
  if (orderCode === 'loinc' || isOwn) return writer.coded(ROW.panel);
  const placer = [...ordered, '', ''].slice(0, CODING);
  return writer.components(...placer, writer.coded(ROW.panel));
}
