import { Injectable } from '@nestjs/common';
import { LeasedDeliveries, type Arrival, type SqlFragment } from '../../kit/index.js';
import { SystemStatements } from '../../../platform/database/statements.js';
import { MessageEncryption } from '../../../standards/hl7v2/encryption/message-encryption.js';
import { HL7_QUEUE, type MessageColumns } from './hl7-queue.js';

/** The application may have rejected the message before its accept acknowledgment is recorded. */
const acceptedAt = (
  id: number,
): string => `update hl7_outbox set delivered_at = sutura_now(), ack_code = 'CA', ack_condition = null, fault = null,
    state = case when application_code in ('AE', 'AR') then 'parked' else 'delivered' end,
    parked_for = case when application_code in ('AE', 'AR') then 'refused_later' end
  where id = $${id} and state <> 'delivered'`;

/** Messages as senders use them. */
@Injectable()
export class OutboundDeliveries extends LeasedDeliveries<MessageColumns> {
  constructor(statements: SystemStatements, encryption: MessageEncryption) {
    super(HL7_QUEUE, statements, encryption);
  }

  /** Takes the columns of `columnsOf`. */
  protected override acceptance(arrival: Arrival, id: number, first: number): SqlFragment {
    return arrival.columns['ack_code'] === 'CA'
      ? { sql: acceptedAt(id), values: [] }
      : super.acceptance(arrival, id, first);
  }
}
