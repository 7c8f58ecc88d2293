import { Injectable } from '@nestjs/common';
import { isSuturaError } from '../../../core/errors/sutura-error.js';
import { SystemStatements } from '../../../platform/database/statements.js';
import { MessageEncryption } from '../../encryption/message-encryption.js';
import { answerTerms, sealAnswer } from './answer-vault.js';
import type { KeptAnswer, OutboundKind } from './outbound-message.js';

/** A destination that one process alone sends to, until the lease ends. */
export interface SenderLease {
  readonly destinationId: string;
  readonly token: string;
}

interface Due {
  readonly id: string;
  readonly kind: OutboundKind;
  readonly controlId: string;
  readonly failures: number;
  readonly refusals: number;
  /** No byte of it was sent before. */
  readonly unsent: boolean;
}

/** A message that is to be sent now. */
export interface DueMessage extends Due {
  readonly bytes: Buffer;
}

/** What comes next: a message, or one that no key opens and that was parked for it. */
export type NextDue = DueMessage | { readonly sealed: Pick<Due, 'id' | 'controlId'> };

/** What an attempt changes of a message that was not delivered. */
export interface FailedAttempt {
  readonly state: 'waiting' | 'parked';
  readonly afterMs: number;
  readonly failures: number;
  readonly refusals: number;
  readonly ackCode: string | null;
  readonly ackCondition: string | null;
  /** Why there was no acknowledgment; null: there was one. */
  readonly fault?: string | null;
  /** Still no byte of it was sent. */
  readonly unsent?: boolean;
  readonly answer?: KeptAnswer | null;
}

export interface NextMessage {
  readonly order: 'strict' | 'perPatient';
  readonly stopOnError: boolean;
}

const TAKE_LEASE = `update hl7_senders set lease_token = $2, lease_until = sutura_now() + make_interval(secs => $3)
  where destination_id = $1 and (lease_token is null or lease_token = $2 or lease_until < sutura_now())`;
const END_LEASE =
  'update hl7_senders set lease_token = null, lease_until = null where destination_id = $1 and lease_token = $2';
const MINE =
  'exists (select from hl7_senders where destination_id = $1 and lease_token = $2 and lease_until > sutura_now())';

/**
 * A message waits for those before it: for all of them, or for those of its lane and of its report, whose versions may be of different lanes by
 * a join of patients. Of those that may go, what was met with silence least often comes first: one that its receiver chokes on keeps nobody.
 */
const takeNext = (order: NextMessage['order'], stops: boolean): string => {
  const holds = `earlier.destination_id = $1 and earlier.number < message.number and ${stops ? "earlier.state in ('waiting', 'parked')" : "earlier.state = 'waiting'"}`;
  const behind =
    order === 'strict' ? [''] : [' and earlier.lane = message.lane', ' and earlier.subject_id = message.subject_id'];
  return `with moment as materialized (select sutura_now() as now),
  head as (
    select message.id, message.unsent from hl7_outbox message, moment
      where message.destination_id = $1 and message.state = 'waiting' and message.next_at <= moment.now and ${MINE}
        and ${behind.map((same) => `not exists (select from hl7_outbox earlier where ${holds}${same})`).join(' and ')}
      order by message.failures, message.number limit 1 for update of message)
  update hl7_outbox message set attempts = attempts + 1, sent_at = coalesce(sent_at, moment.now), unsent = false, application_code = null
    from head, moment where message.id = head.id
  returning message.id, kind, control_id as "controlId", message, failures, refusals, head.unsent`;
};
const NEXT_IN = `select (extract(epoch from min(next_at) - sutura_now()) * 1000)::float8 as ms from hl7_outbox
  where destination_id = $1 and state = 'waiting' and next_at > sutura_now()`;
/** Whatever became of the row meanwhile, and whoever sends now: the receiver has it. Its application may have refused it before this was written. */
const DELIVERED = `update hl7_outbox set delivered_at = sutura_now(), ack_code = $2, ack_condition = null, fault = null,
    state = case when application_code in ('AE', 'AR') and $2 = 'CA' then 'parked' else 'delivered' end,
    parked_for = case when application_code in ('AE', 'AR') and $2 = 'CA' then 'refused_later' end,
    application_code = case when $2 = 'CA' then application_code end, answer = case when $2 = 'CA' then answer end
  where id = $1 and state <> 'delivered'`;
const FAILED = `update hl7_outbox set state = $4, next_at = sutura_now() + make_interval(secs => $5), failures = $6, refusals = $7, ack_code = coalesce($8, ack_code),
    ack_condition = case when $8::text is null then ack_condition else $9 end, fault = $10, unsent = $11, answer = case when $8::text is null then answer else $12 end,
    parked_for = case when $4 = 'parked' then 'refused' end, answer_terms = $13
  where id = $3 and state = 'waiting' and ${MINE}`;
const PARK_SEALED = `update hl7_outbox set state = 'parked', parked_for = 'sealed', answer_terms = $3, attempts = attempts - 1, unsent = $2 where id = $1 and state = 'waiting'`;
/** A preliminary result that turned out not to have been sent, behind which the final one stands by now. */
const COLLAPSE_ONE = `update hl7_outbox message set state = 'collapsed' where id = $1 and state = 'waiting' and preliminary and unsent
  and exists (select from hl7_outbox newer where newer.destination_id = message.destination_id and newer.subject_id = message.subject_id
    and newer.version > message.version and not newer.preliminary and newer.state in ('waiting', 'delivered', 'parked'))`;
const AFTER_OUTAGE = `update hl7_outbox set next_at = sutura_now() where destination_id = $1 and state = 'waiting' and unsent and failures > 0 and next_at > sutura_now()`;

interface Row extends Due {
  readonly message: Buffer;
}

/** The outbox as senders use it: single statements over all tenants. */
@Injectable()
export class SenderRows {
  constructor(
    private readonly statements: SystemStatements,
    private readonly vault: MessageEncryption,
  ) {}

  /** Takes or prolongs the lease. False: another process has it, or nothing was ever to be sent. */
  async hold({ destinationId, token }: SenderLease, leaseMs: number): Promise<boolean> {
    return (await this.statements.run(TAKE_LEASE, [destinationId, token, leaseMs / 1000])).affected > 0;
  }

  async release({ destinationId, token }: SenderLease): Promise<void> {
    await this.statements.run(END_LEASE, [destinationId, token]);
  }

  /** The next message, its attempt counted; one that no key opens is parked and named. null: nothing is due, or the lease is no longer ours. */
  async next({ destinationId, token }: SenderLease, { order, stopOnError }: NextMessage): Promise<NextDue | null> {
    const { rows } = await this.statements.run<Row>(takeNext(order, stopOnError), [destinationId, token]);
    const row = rows[0];
    if (row === undefined) return null;
    const { message, ...known } = row;
    try {
      return { ...known, bytes: this.vault.open(message, row.id) };
    } catch (fault) {
      if (!isSuturaError(fault, 'hl7.sealed')) throw fault;
      await this.statements.run(PARK_SEALED, [row.id, row.unsent, answerTerms(this.vault, null, 'sealed')]);
      return { sealed: { id: row.id, controlId: row.controlId } };
    }
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
    const {
      state,
      afterMs,
      failures,
      refusals,
      ackCode,
      ackCondition,
      fault = null,
      unsent = false,
      answer = null,
    } = attempt;
    const sealed = answer === null ? null : sealAnswer(this.vault, messageId, answer);
    await this.statements.run(FAILED, [
      destinationId,
      token,
      messageId,
      state,
      afterMs / 1000,
      failures,
      refusals,
      ackCode,
      ackCondition,
      fault,
      unsent,
      sealed,
      answerTerms(this.vault, answer, ackCode, ackCondition, fault),
    ]);
  }

  /** A preliminary result is left out where its final one came while it was tried in vain. */
  async collapse(messageId: string): Promise<void> {
    await this.statements.run(COLLAPSE_ONE, [messageId]);
  }

  /** The receiver answers again: what waits only because nobody could be reached goes now. */
  async outageOver(destinationId: string): Promise<void> {
    await this.statements.run(AFTER_OUTAGE, [destinationId]);
  }
}
