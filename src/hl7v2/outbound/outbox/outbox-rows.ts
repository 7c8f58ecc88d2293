import type { Environment } from '../../../core/tenancy/tenant.js';
import type { OutboundKind, OutboundRecord } from './outbound-message.js';

/** Columns of an OutboundRecord, of the table called `message`. */
export const OUTBOUND_COLUMNS = `message.id, message.destination_id as "destinationId", message.organization_id as "organizationId", message.environment,
  message.control_id as "controlId", message.kind, message.subject_id as "subjectId", message.version, message.state, message.size_bytes as "sizeBytes", message.attempts,
  message.next_at as "nextAt", message.ack_code as "ackCode", message.ack_condition as "ackCondition", message.application_code as "applicationCode",
  message.parked_for as "parkedFor", message.fault, message.moved_to as "movedTo",
  message.created_at as "createdAt", message.sent_at as "sentAt", message.delivered_at as "deliveredAt", message.erased`;

export interface OutboundRow extends OutboundRecord {
  readonly environment: Environment;
  readonly kind: OutboundKind;
}

/** A newer version of the report was delivered to the same destination: an older one would set its receiver back. */
export const NEWER_DELIVERED = `exists (select from hl7_outbox newer where newer.destination_id = message.destination_id and newer.subject_id = message.subject_id
  and newer.version > message.version and newer.state = 'delivered')`;
