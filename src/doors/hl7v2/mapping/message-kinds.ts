import type { MessageHeader } from '../../../standards/hl7v2/er7/er7-message.js';

/**
 * The kind of a message. `kept`: stored and acknowledged, without effect; `answer`: an acknowledgment of one of our
 * messages, which is never acknowledged itself.
 */
export type MessageKind =
  | 'results'
  | 'order'
  | 'document'
  | 'document_cancel'
  | 'patient'
  | 'merge'
  | 'kept'
  | 'answer'
  | 'unknown_type'
  | 'unknown_event';

const ORDERS: ReadonlyMap<string, string> = new Map([
  ['ORM', 'O01'],
  ['OMG', 'O19'],
  ['OML', 'O21'],
  ['OMI', 'O23'],
]);
const ANSWERS: readonly string[] = ['ACK', 'ORR', 'ORL', 'ORG', 'ORI'];
const WITH_CONTENT: readonly string[] = ['T02', 'T04', 'T06', 'T08', 'T10'];
const WITHOUT_CONTENT: readonly string[] = ['T01', 'T03', 'T05', 'T07', 'T09'];
const ADMISSIONS: readonly string[] = ['A01', 'A03', 'A04', 'A05', 'A08', 'A11', 'A13', 'A28', 'A31'];
/** Type and event of the messages that tell of a patient, as MSH-9 has them. */
export const ANNOUNCEMENTS: readonly string[] = ADMISSIONS.map((event) => `ADT^${event}`);
/**
 * Merges name the surviving record in PID and the prior one in MRG; HL7 keeps the older events for those who still send
 * them.
 */
const MERGES: readonly string[] = ['A18', 'A30', 'A34', 'A36', 'A39', 'A40', 'A47'];
/** Events that delete, link, unlink, move or renumber records. They are not carried out, and the sender should know. */
const NOT_CARRIED_OUT: readonly string[] = [
  'A23',
  'A24',
  'A29',
  'A35',
  'A37',
  'A41',
  'A42',
  'A43',
  'A44',
  'A45',
  'A46',
  'A48',
  'A49',
  'A50',
  'A51',
];

export function messageKindOf({
  messageCode,
  triggerEvent,
}: Pick<MessageHeader, 'messageCode' | 'triggerEvent'>): MessageKind {
  const orderEvent = ORDERS.get(messageCode);
  if (orderEvent !== undefined) return triggerEvent === orderEvent ? 'order' : 'unknown_event';
  if (ANSWERS.includes(messageCode)) return 'answer';
  switch (messageCode) {
    case 'ORU':
      return triggerEvent === 'R01' ? 'results' : 'unknown_event';
    case 'MDM':
      return documentKindOf(triggerEvent);
    case 'ADT':
      // Engines send the whole feed: an event that is not listed is accepted without effect.
      return MERGES.includes(triggerEvent) ? 'merge' : ADMISSIONS.includes(triggerEvent) ? 'patient' : 'kept';
    default:
      return 'unknown_type';
  }
}

/** Whether an ADT event asks for a change of records that is not carried out. */
export function asksInVain({
  messageCode,
  triggerEvent,
}: Pick<MessageHeader, 'messageCode' | 'triggerEvent'>): boolean {
  return messageCode === 'ADT' && NOT_CARRIED_OUT.includes(triggerEvent);
}

export function isPatientRequired(kind: MessageKind): boolean {
  return kind === 'results' || kind === 'order' || kind === 'document' || kind === 'patient' || kind === 'merge';
}

function documentKindOf(event: string): MessageKind {
  if (event === 'T11') return 'document_cancel';
  return WITH_CONTENT.includes(event) ? 'document' : WITHOUT_CONTENT.includes(event) ? 'kept' : 'unknown_event';
}
