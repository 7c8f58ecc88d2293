import type { QueueDefinition } from '../../kit/index.js';
import type { MessageFile } from './message-file.js';
import type { OutboundKind } from './outbound-message.js';

/** Columns that a message has beside those of every delivery. */
export interface MessageColumns {
  readonly kind: OutboundKind;
  /** MSH-10. */
  readonly controlId: string;
  readonly imageIds: readonly string[];
  /** Files of which the kept bytes have a token each; null: the bytes are whole, as those of earlier releases. */
  readonly files: readonly MessageFile[] | null;
}

/** The queue of HL7 v2 messages. */
export const HL7_QUEUE: QueueDefinition<MessageColumns> = {
  deliveries: 'hl7_outbox',
  endpoints: 'hl7_destinations',
  senders: 'hl7_senders',
  endpointId: 'destination_id',
  body: 'message',
  ownColumns: { kind: 'kind', controlId: 'control_id', imageIds: 'image_ids', files: 'files' },
  attemptColumns: ['application_code'],
  answerColumns: ['ack_code', 'application_code', 'ack_condition'],
  wordsColumn: 'answer',
  channel: 'sutura_results_out',
  errors: {
    notFound: { code: 'hl7.message_not_found' },
    waits: { code: 'hl7.in_progress' },
    notWaiting: { code: 'hl7.not_waiting' },
    notParked: { code: 'hl7.not_parked' },
    superseded: { code: 'hl7.superseded' },
    endpointDeleted: { code: 'hl7.destination_deleted' },
    wrongEndpoint: {
      code: 'hl7.destination_not_found',
      detail: 'The message can go to another destination of the same organization and environment.',
    },
    alreadyThere: { code: 'hl7.already_there' },
    sealed: { code: 'hl7.sealed' },
  },
};
