import { DELIVERY_STATES, type DeliveryState, type NewDelivery, type PastEvent } from '../../kit/index.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import type { AnnouncedProblem } from '../../../standards/hl7v2/mllp/acknowledgment.js';
import type { ErasedFile } from '../../../standards/hl7v2/er7/erased-file.js';

import type { MessageFile } from './message-file.js';

/** A result of ours, or the application acknowledgment of a message that came in. */
export type OutboundKind = 'result' | 'ack';

/** What happened to a message, for those who administer it. */
export { actsOf, attemptsOf, PAST_EVENTS, pastEvents } from '../../kit/index.js';

/** States of every delivery; besides, a delivered message is parked where its receiver's application refused it later. */
export const OUTBOUND_STATES = DELIVERY_STATES;
export type OutboundState = DeliveryState;

/**
 * Why a message is parked. `refused`: by its receiver; `refused_later`: by its receiver's application, after the message had been accepted;
 * `sealed`: none of the keys that are set opens it; `operator`; `destination_deleted`.
 */
export type ParkedFor = 'refused' | 'refused_later' | 'sealed' | 'operator' | 'destination_deleted';

/**
 * A message to send. `subjectId`: the report, the failed analysis, or the inbound message it answers; `version`: that of the report, else 1; `lane`: the patient's id.
 */
export interface NewMessage extends Omit<NewDelivery, 'write'> {
  readonly kind: OutboundKind;
  /** The images whose photo or picture is in it: by these it is found once one is erased. */
  readonly imageIds: readonly string[];
  /** Files that are put in when it is sent: `build` writes the token of each. */
  readonly files?: readonly MessageFile[];
  /** The bytes, once MSH-10 is known; called at most once. */
  build(controlId: string): Buffer;
}

/** A message as an operator sees it, without its bytes. */
export interface OutboundRecord extends Tenant {
  readonly id: string;
  readonly destinationId: string;
  /** MSH-10. */
  readonly controlId: string;
  readonly kind: OutboundKind;
  readonly subjectId: string;
  readonly version: number;
  readonly state: OutboundState;
  readonly sizeBytes: number;
  readonly attempts: number;
  readonly nextAt: Date;
  /** MSA-1 and ERR-3 of the last acknowledgment. */
  readonly ackCode: string | null;
  readonly ackCondition: string | null;
  /** MSA-1 of an application acknowledgment that came after it. */
  readonly applicationCode: string | null;
  /** null: it is not parked, or was before reasons were kept. */
  readonly parkedFor: ParkedFor | null;
  /** Why the last attempt had no acknowledgment, as a code: `unreachable ECONNREFUSED`, `tls CERT_HAS_EXPIRED`, `timeout`; null: it had one. */
  readonly fault: string | null;
  /** The message of another destination that took its place. */
  readonly movedTo: string | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  /** Files that were taken out of it since. */
  readonly erased: readonly ErasedFile[];
  /** What happened to it until now, oldest first: attempts that failed, and what people did. */
  readonly history: readonly PastEvent[];
}

/** A receiver's answer, as it is kept with the message. Its texts may repeat parts of the message. */
export interface KeptAnswer {
  /** MSA-3. */
  readonly text: string;
  readonly problems: readonly AnnouncedProblem[];
}
