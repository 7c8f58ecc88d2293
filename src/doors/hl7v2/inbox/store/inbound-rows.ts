import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import type { InboundRecord } from './inbound-record.js';

/** Columns of an InboundRecord. */
export const RECORD_COLUMNS = `id, organization_id as "organizationId", environment, source_id as "sourceId", transport, received_at as "receivedAt", key_id as "keyId", coalesce(may_review, transport = 'mllp') as "mayReview", address,
  sending_application as "sendingApplication", sending_facility as "sendingFacility", control_id as "controlId", message_type as "messageType", version,
  size_bytes as "sizeBytes", state, attempts, replays, processed_at as "processedAt", accept_code as "acceptCode", application_ack as "applicationAck", ack_code as "ackCode",
  problems, analysis_ids as "analysisIds", pointed_image_ids as "pointedImageIds", erased, held_item as "heldItemId"`;

export type RecordRow = InboundRecord;

/** More than HL7 allows any of these fields. */
const LONGEST_TEXT = 255;

const STORABLE = /^[ -~]{0,255}$/;

/** Fields of MSH may hold characters that PostgreSQL cannot store. */
export function storableText(text: string): string {
  if (STORABLE.test(text)) return text;
  return text.slice(0, LONGEST_TEXT).replace(/\0|\p{Surrogate}/gu, '\uFFFD');
}

/** Problems name places and codes, never values. */
export function storableProblems(problems: readonly Hl7Problem[]): string {
  return problems.length === 0 ? '[]' : JSON.stringify(problems.slice(0, 50));
}
