import type { MessageHeader } from '../er7/er7-message.js';
import { lookUp } from './table-lookup.js';

/**
 * What a message is to this door. `kept`: taken, acknowledged and without effect; `answer`: an acknowledgment of a message of ours, which is
 * never acknowledged itself.
 */
export type MessageKind = 'results' | 'order' | 'document' | 'document_cancel' | 'patient' | 'merge' | 'kept' | 'answer' | 'unknown_type' | 'unknown_event';

const ORDERS: Readonly<Record<string, readonly string[]>> = { ORM: ['O01'], OMG: ['O19'], OML: ['O21'], OMI: ['O23'] };
const ANSWERS: readonly string[] = ['ACK', 'ORR', 'ORL', 'ORG', 'ORI'];
const WITH_CONTENT: readonly string[] = ['T02', 'T04', 'T06', 'T08', 'T10'];
const WITHOUT_CONTENT: readonly string[] = ['T01', 'T03', 'T05', 'T07', 'T09'];
const ADMISSIONS: readonly string[] = ['A01', 'A03', 'A04', 'A05', 'A08', 'A11', 'A13', 'A28', 'A31'];
const MERGES: readonly string[] = ['A34', 'A40', 'A47'];

export function messageKindOf({ messageCode, triggerEvent }: Pick<MessageHeader, 'messageCode' | 'triggerEvent'>): MessageKind {
  const orders = lookUp(ORDERS, messageCode);
  if (orders !== undefined) return orders.includes(triggerEvent) ? 'order' : 'unknown_event';
  if (ANSWERS.includes(messageCode)) return 'answer';
  switch (messageCode) {
    case 'ORU':
      return triggerEvent === 'R01' ? 'results' : 'unknown_event';
    case 'MDM':
      return documentKindOf(triggerEvent);
    case 'ADT':
      // Engines send the whole feed: what is not listed is taken and changes nothing.
      return MERGES.includes(triggerEvent) ? 'merge' : ADMISSIONS.includes(triggerEvent) ? 'patient' : 'kept';
    default:
      return 'unknown_type';
  }
}

export function isPatientRequired(kind: MessageKind): boolean {
  return kind === 'results' || kind === 'order' || kind === 'document' || kind === 'patient' || kind === 'merge';
}

function documentKindOf(event: string): MessageKind {
  if (event === 'T11') return 'document_cancel';
  return WITH_CONTENT.includes(event) ? 'document' : WITHOUT_CONTENT.includes(event) ? 'kept' : 'unknown_event';
}
