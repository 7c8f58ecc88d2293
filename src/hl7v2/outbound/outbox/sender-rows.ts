import { Injectable } from '@nestjs/common';
import { SystemStatements } from '../../../platform/database/statements.js';
import { MessageVault } from '../../vault/message-vault.js';
import type { OutboundKind } from './outbound-message.js';

/** A destination that one process alone sends to, until the lease ends. */
export interface SenderLease {
  readonly destinationId: string;
  readonly token: string;
}

/** A message that is to be sent now. */
export interface DueMessage {
  readonly id: string;
  readonly kind: OutboundKind;
  readonly controlId: string;
  readonly bytes: Buffer;
  readonly failures: number;
  readonly refusals: number;
}

/** What an attempt changes of a message that was not delivered. */
export interface FailedAttempt {
  readonly state: 'waiting' | 'parked';
  readonly afterMs: number;
  readonly failures: number;
  readonly refusals: number;
  readonly ackCode: string | null;
  readonly ackCondition: string | null;
}

export interface NextMessage {
  readonly order: 'strict' | 'perPatient';
  readonly stopOnError: boolean;
}

const TAKE_LEASE = `update hl7_senders set lease_token = $2, lease_until = sutura_now() + make_interval(secs => $3)
  where destination_id = $1 and (lease_token is null or lease_token = $2 or lease_until < sutura_now())`;
const END_LEASE = 'update hl7_senders set lease_token = null, lease_until = null where destination_id = $1 and lease_token = $2';
const MINE = 'exists (select from hl7_senders where destination_id = $1 and lease_token = $2 and lease_until > sutura_now())';
/** A message waits for those before it: for all of them, or for those of its lane; versions of one report may be of different lanes, by a join of patients. */
const TAKE_NEXT = `with moment as materialized (select sutura_now() as now),
  head as (
    select message.id from hl7_outbox message, moment
      where message.destination_id = $1 and message.state = 'waiting' and message.next_at <= moment.now and ${MINE}
        and not exists (select from hl7_outbox earlier
          where earlier.destination_id = $1 and earlier.number < message.number and ($3 or earlier.lane = message.lane or earlier.subject_id = message.subject_id)
            and (earlier.state = 'waiting' or ($4 and earlier.state = 'parked')))
      order by message.number limit 1 for update of message)
  update hl7_outbox message set attempts = attempts + 1, sent_at = coalesce(sent_at, moment.now) from head, moment where message.id = head.id
  returning message.id, kind, control_id as "controlId", message, failures, refusals`;
const NEXT_IN = `select (extract(epoch from min(next_at) - sutura_now()) * 1000)::float8 as ms from hl7_outbox
  where destination_id = $1 and state = 'waiting' and next_at > sutura_now()`;
/** Whatever became of the row meanwhile, and whoever sends now: the receiver has it. */
const DELIVERED = `update hl7_outbox set state = 'delivered', delivered_at = sutura_now(), ack_code = $2, ack_condition = null where id = $1 and state <> 'delivered'`;
const FAILED = `update hl7_outbox set state = $4, next_at = sutura_now() + make_interval(secs => $5), failures = $6, refusals = $7, ack_code = coalesce($8, ack_code), ack_condition = coalesce($9, ack_condition)
  where id = $3 and state = 'waiting' and ${MINE}`;

interface Row extends Omit<DueMessage, 'bytes'> {
  readonly message: Buffer;
}

/** The outbox as senders use it: single statements over all tenants. */
@Injectable()
export class SenderRows {
  constructor(
    private readonly statements: SystemStatements,
    private readonly vault: MessageVault,
  ) {}

  /** Takes or prolongs the lease. False: another process has it, or nothing was ever to be sent. */
  async hold({ destinationId, token }: SenderLease, leaseMs: number): Promise<boolean> {
    return (await this.statements.run(TAKE_LEASE, [destinationId, token, leaseMs / 1000])).affected > 0;
  }

  async release({ destinationId, token }: SenderLease): Promise<void> {
    await this.statements.run(END_LEASE, [destinationId, token]);
  }

  /** The next message, its attempt counted. null: nothing is due, or the lease is no longer ours. `hl7.sealed`. */
  async next({ destinationId, token }: SenderLease, { order, stopOnError }: NextMessage): Promise<DueMessage | null> {
    const { rows } = await this.statements.run<Row>(TAKE_NEXT, [destinationId, token, order === 'strict', stopOnError]);
    const row = rows[0];
    if (row === undefined) return null;
    const { message, ...known } = row;
    return { ...known, bytes: this.vault.open(message, row.id) };
  }

  /** Milliseconds until a message that was tried before is due again; null: none is. */
  async nextIn(destinationId: string): Promise<number | null> {
    return (await this.statements.run<{ ms: number | null }>(NEXT_IN, [destinationId])).rows[0]?.ms ?? null;
  }

  async delivered(messageId: string, ackCode: string | null): Promise<void> {
    await this.statements.run(DELIVERED, [messageId, ackCode]);
  }

  /** Nothing is written where the lease is no longer ours. */
  async failed({ destinationId, token }: SenderLease, messageId: string, attempt: FailedAttempt): Promise<void> {
    const { state, afterMs, failures, refusals, ackCode, ackCondition } = attempt;
    await this.statements.run(FAILED, [destinationId, token, messageId, state, afterMs / 1000, failures, refusals, ackCode, ackCondition]);
  }
}
