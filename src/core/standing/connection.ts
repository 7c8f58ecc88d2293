import type { Tenant } from '../tenancy/tenant.js';
import { daysUntil, destinationDays, listenerStanding, type ListenerStandingInWords } from './listener-findings.js';
import { receiverStanding } from './receiver-findings.js';
import type { ListenerFacts, ProcessFacts, ReceiverFacts } from './standing-facts.js';
import type { StandingFault, StandingState } from './standing-parts.js';

/** Ways in and ways out. Published names. */
export const CONNECTION_KINDS = ['listener', 'hl7', 'webhook', 'subscription', 'ehr'] as const;
export type ConnectionKind = (typeof CONNECTION_KINDS)[number];

/** One way in or out, as a row of the board. */
export interface Connection extends Tenant {
  readonly id: string;
  readonly kind: ConnectionKind;
  /** null: it has none, and is known by its address. */
  readonly name: string | null;
  readonly address: string;
  readonly state: StandingState;
  readonly fault: StandingFault | null;
  /** Behind its name. */
  readonly words: string;
  readonly since: Date | null;
  /** The last that a receiver took, or that came in. */
  readonly lastWellAt: Date | null;
  readonly waiting: number;
  readonly oldestWaitingAt: Date | null;
  readonly parked: number;
  /** Code of the last answer, or of what there was instead of one. */
  readonly said: string | null;
  /** Whole days, negative once it has ended; null: none, or no process reports it. */
  readonly certificateDays: number | null;
  readonly nextStep: string | null;
}

export function receiverConnection(
  receiver: ReceiverFacts,
  processes: readonly ProcessFacts[] | null,
  now: Date,
): Connection {
  const { id, exit, name, address, organizationId, environment } = receiver;
  return {
    id,
    kind: exit,
    name,
    address,
    organizationId,
    environment,
    ...receiverStanding(receiver, now),
    lastWellAt: receiver.lastAcceptedAt,
    waiting: receiver.waiting,
    oldestWaitingAt: receiver.oldestWaitingAt,
    parked: receiver.parked,
    said: receiver.failingSince === null ? null : (receiver.lastFault ?? receiver.lastAnswer),
    certificateDays: processes === null ? null : destinationDays(processes, id),
  };
}

/** Gateways tell by writing whether they serve a listener. */
const NOT_TOLD: ListenerStandingInWords = {
  state: 'unknown',
  fault: 'not_read',
  words: 'cannot be known while the database takes no writes',
  nextStep: null,
};

/** `isReadOnly`: the database takes no writes, so that what gateways last told may have passed. */
export function listenerConnection(listener: ListenerFacts, now: Date, isReadOnly: boolean): Connection {
  const { id, name, port, organizationId, environment, certificateEndsAt, isPaused, isServed } = listener;
  const isTold = !isReadOnly || isPaused || isServed === null;
  const isClosed = isTold && isServed === false;
  return {
    id,
    kind: 'listener',
    name,
    address: port === null ? 'POST /hl7v2' : port === 0 ? 'MLLP, any free port' : `MLLP, port ${port}`,
    organizationId,
    environment,
    ...(isTold ? listenerStanding(listener) : NOT_TOLD),
    since: isClosed ? listener.notServedSince : null,
    lastWellAt: listener.lastMessageAt,
    waiting: 0,
    oldestWaitingAt: null,
    parked: 0,
    said: isClosed ? listener.notServedReason : null,
    certificateDays: certificateEndsAt === null ? null : daysUntil(certificateEndsAt, now),
  };
}
