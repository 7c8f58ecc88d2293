import type { Er7Message, MessageHeader } from '../../../standards/hl7v2/er7/er7-message.js';
import { MessageWriter } from '../../../standards/hl7v2/er7/message-writer.js';
import type { OrderAction } from '../mapping/plan/inbound-plan.js';
import type { ReceivedOrder } from '../../../standards/hl7v2/records/received-orders.js';
import { segmentWithStandardDelimiters } from '../../../standards/hl7v2/er7/standard-delimiters.js';
import { lookUp } from '../../../standards/hl7v2/er7/table-lookup.js';

/** The outcome of one order, for a typed response. */
export interface OrderAnswer {
  readonly action: OrderAction;
  readonly received: Pick<ReceivedOrder, 'orc2' | 'orc12' | 'pid'>;
  /** Id of its analysis, our filler number; null: it has none. */
  readonly fillerId: string | null;
}

const RESPONSES: Readonly<Record<string, readonly [code: string, event: string, structure: string]>> = {
  ORM: ['ORR', 'O02', 'ORR_O02'],
  OMG: ['ORG', 'O20', 'ORG_O20'],
  OML: ['ORL', 'O22', 'ORL_O22'],
  OMI: ['ORI', 'O24', 'ORI_O24'],
};
/** HL7 table 0119: ORC-1 of the answer if the request was carried out, and if it could not be. */
const CONTROLS: Readonly<Record<string, readonly [done: string, refused: string]>> = {
  NW: ['OK', 'UA'],
  XO: ['XR', 'UX'],
  RP: ['RQ', 'UM'],
  CA: ['CR', 'UC'],
  DC: ['DR', 'UD'],
  HD: ['HR', 'UH'],
  RL: ['OR', 'UR'],
};

/** MSH-9 of the typed response to an order; null: this message has none. */
export function responseTypeOf({
  messageCode,
  versionId,
}: Pick<MessageHeader, 'messageCode' | 'versionId'>): string | null {
  const response = lookUp(RESPONSES, messageCode);
  if (response === undefined) return null;
  return versionId === '2.3' || versionId.startsWith('2.2') || versionId.startsWith('2.1')
    ? `${response[0]}^${response[1]}`
    : response.join('^');
}

/** ORC-1 of the answer. */
export function answeredControlOf({ control }: Pick<OrderAction, 'control'>, isDone: boolean): string {
  const [done, refused] = lookUp(CONTROLS, control) ?? CONTROLS['NW']!;
  return isDone ? done : refused;
}

/** PID as received, and an ORC for each order; orders of a further patient stand behind its PID. */
export function writeOrderSegments(
  writer: MessageWriter,
  message: Er7Message,
  answers: readonly OrderAnswer[],
  isDone: boolean,
): string[] {
  const first = segmentWithStandardDelimiters(message, message.segment('PID'));
  const orders = answers.flatMap(({ action, received, fillerId }, index) => [
    ...(index > 0 && received.pid !== answers[index - 1]!.received.pid ? [received.pid] : []),
    writer.segment('ORC', {
      1: answeredControlOf(action, isDone),
      2: received.orc2,
      3: fillerId === null ? '' : writer.components(writer.text(fillerId), 'SUTURA', 'sutura.dev', 'DNS'),
      12: received.orc12,
    }),
  ]);
  return [...(first === '' ? [] : [first]), ...orders];
}
