import { Injectable } from '@nestjs/common';
import { isSuturaError, SuturaError } from '../../../../core/errors/sutura-error.js';
import type { Transaction } from '../../../../core/ports/unit-of-work.js';
import { Settings } from '../../../../platform/config/settings.js';
import { stateOf } from '../../../../platform/database/database-fault.js';
import { SystemStatements } from '../../../../platform/database/statements.js';
import { statementsOf } from '../../../../platform/database/unit-of-work.js';
import type { AcceptCode, ApplicationCode } from '../../ack/acknowledgment-code.js';
import { problemsOf } from '../../ack/record-faults.js';
import type { Hl7Problem } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import { MessageEncryption, SEAL_HEAD_BYTES } from '../../../../standards/hl7v2/encryption/message-encryption.js';
import type {
  ApplicationAck,
  HeldMessage,
  InboundRecord,
  InboundState,
  NewInbound,
  SealedMessage,
} from './inbound-record.js';
import { RECORD_COLUMNS, storableProblems, type RecordRow } from './inbound-rows.js';
import { InboundWriter } from './inbound-writer.js';

/** Notifies of an accepted message that is free to be processed; the payload is empty. */
export const INBOUND_CHANNEL = 'sutura_messages_in';
/** Days for which a control id stays taken. */
const KEY_DAYS = 30;

/** A message with the acknowledgment that its sender was sent. */
export interface StoredOutcome {
  readonly record: InboundRecord;
  readonly ack: Buffer | null;
  /** For a failed message: a resend is to be processed. */
  readonly retryable: boolean;
}

/** The message that holds the key of another one. */
export interface KnownMessage extends StoredOutcome {
  readonly sha256: Buffer;
  /** No configured key decrypts it. */
  readonly isSealed: boolean;
  /** Its control id may be used again. */
  readonly hasExpired: boolean;
}

/** The outcome of a message. */
export interface Conclusion {
  readonly state: Extract<InboundState, 'processed' | 'ignored' | 'failed' | 'held'>;
  readonly retryable: boolean;
  readonly ackCode: ApplicationCode;
  readonly ack: Buffer | null;
  readonly problems: readonly Hl7Problem[];
  readonly analysisIds: readonly string[];
  readonly pointedImageIds: readonly string[];
  /** Of `held`: what it waits for. */
  readonly heldItemId?: string | undefined;
}

/** The lease has passed to another process; everything done for the message here must be undone. */
export class LeaseLost extends Error {}

const BY_KEY = `select ${RECORD_COLUMNS}, sha256, ack, retryable, substring(raw for ${SEAL_HEAD_BYTES}) as head, received_at < sutura_now() - interval '${KEY_DAYS} days' as "hasExpired"
  from hl7_inbound where source_id = $1 and message_key = $2 and holds_key`;
const RELEASE_KEY = `update hl7_inbound set holds_key = false where id = $1`;
const LEASE = `state = 'received', retryable = false, lease_token = gen_random_uuid(), lease_until = sutura_now() + $2 * interval '1 second', attempts = attempts + 1, processed_at = null`;
const CLAIM = `update hl7_inbound set ${LEASE} where id = $1 and ((state = 'received' and lease_until <= sutura_now()) or state = 'failed')
  returning ${RECORD_COLUMNS}, raw, lease_token as "leaseToken"`;
/**
 * The oldest unfinished message of each source: the next one of that source waits for it. Steps from source to source
 * by the index, however many messages wait.
 */
const CLAIM_NEXT = `with recursive heads as (
    (select source_id, sequence, id, lease_until from hl7_inbound where state = 'received' order by source_id, sequence limit 1)
    union all
    select next.* from heads cross join lateral (
      select source_id, sequence, id, lease_until from hl7_inbound where state = 'received' and source_id > heads.source_id order by source_id, sequence limit 1) next),
  due as (
    select inbound.id from hl7_inbound inbound join heads using (id)
      where inbound.state = 'received' and inbound.lease_until <= sutura_now() order by inbound.sequence limit 1 for update of inbound skip locked)
  update hl7_inbound set ${LEASE.replace('$2', '$1')} from due where hl7_inbound.id = due.id
    returning ${RECORD_COLUMNS.replace(/^id,/, 'hl7_inbound.id,')}, raw, lease_token as "leaseToken"`;
/** Fails the commit if the lease was lost, so that its answer need not be awaited before. */
const CONCLUDE = `with concluded as (update hl7_inbound set state = $3, retryable = $4, ack_code = $5, ack = $6, problems = $7, analysis_ids = $8, pointed_image_ids = $9, held_item = coalesce($10, held_item), processed_at = sutura_now(), lease_token = null
  where id = $1 and state = 'received' and lease_token = $2 returning id) select 1 / count(*) from concluded`;
const DIVISION_BY_ZERO = '22012';
const POSTPONE = `update hl7_inbound set lease_token = null, lease_until = sutura_now() + $3 * interval '1 second', attempts = attempts - $4 where id = $1 and state = 'received' and lease_token = $2`;
/** Starts over, with the accept acknowledgment that its sender has now. */
const RENEW_FAILED = `update hl7_inbound set state = 'received', retryable = false, attempts = 0, replays = replays + 1, lease_token = null, lease_until = sutura_now(), processed_at = null,
  ack = null, accept_code = $2, application_ack = $3 where id = $1 and state = 'failed'`;
const RENEW = `update hl7_inbound set lease_until = sutura_now() + $3 * interval '1 second' where id = $1 and state = 'received' and lease_token = $2`;
/** Not counted as an attempt: only the configured keys hold it up. */
const PUT_ASIDE = `update hl7_inbound set state = 'sealed', problems = $3, lease_token = null, attempts = attempts - 1, processed_at = sutura_now()
  where id = $1 and state = 'received' and lease_token = $2`;
/** Not while a process that has the key works on it. */
const REPLACE_SEALED = `update hl7_inbound set state = 'discarded', holds_key = false, lease_token = null, processed_at = sutura_now()
  where id = $1 and (state in ('sealed', 'failed') or (state = 'received' and lease_until <= sutura_now()))`;
const READ = `select ${RECORD_COLUMNS}, ack, retryable from hl7_inbound where id = $1`;

/**
 * Every inbound message with its outcome. The service's own work: reached from listeners and workers, never with a
 * caller's key.
 */
@Injectable()
export class InboundStore {
  private readonly leaseS: number;
  private readonly writer: InboundWriter;

  constructor(
    private readonly statements: SystemStatements,
    private readonly encryption: MessageEncryption,
    { workers }: Settings,
  ) {
    this.leaseS = workers.leaseS;
    this.writer = new InboundWriter(statements, this.leaseS);
  }

  /** True: the message is stored durably; false: another message of the source has its key. `service.unavailable`. */
  insert(message: NewInbound): Promise<boolean> {
    return this.writer.write(message);
  }

  async findByKey(sourceId: string, messageKey: Buffer): Promise<KnownMessage | null> {
    const { rows } = await this.statements.run<
      RecordRow & Omit<KnownMessage, 'record' | 'isSealed'> & { readonly head: Buffer }
    >(BY_KEY, [sourceId, messageKey]);
    const row = rows[0];
    if (row === undefined) return null;
    const { sha256, ack, retryable, hasExpired, head, ...record } = row;
    return {
      record,
      sha256,
      retryable,
      hasExpired,
      isSealed: !this.encryption.hasKeyOf(head),
      ack: this.openAnswer(ack, record.id),
    };
  }

  /** Frees its control id for another message. */
  async releaseKey(id: string): Promise<void> {
    await this.statements.run(RELEASE_KEY, [id]);
  }

  /**
   * Discards an unprocessed message that no key decrypts and that its sender has resent. False: it is in work, or has
   * ended.
   */
  async replaceSealed(id: string): Promise<boolean> {
    return (await this.statements.run(REPLACE_SEALED, [id])).affected > 0;
  }

  /** Claims a message that is refused or not in work; null: it is in work, or has ended. `hl7.sealed`. */
  async claim(id: string): Promise<HeldMessage | null> {
    const held = await this.held((await this.statements.run<ClaimedRow>(CLAIM, [id, this.leaseS])).rows[0]);
    if (held !== null && 'sealed' in held) throw new SuturaError('hl7.sealed');
    return held;
  }

  /**
   * Returns a refused message, which left nothing behind, to be processed anew. False: it is no longer a refused one.
   */
  async tryAgain(id: string, acceptCode: AcceptCode | null, applicationAck: ApplicationAck): Promise<boolean> {
    return (await this.statements.run(RENEW_FAILED, [id, acceptCode, applicationAck])).affected > 0;
  }

  /**
   * Claims the next message of any source; null: none. A message that no key decrypts is parked, so that it does not block those after it.
   */
  async claimNext(): Promise<HeldMessage | SealedMessage | null> {
    return this.held((await this.statements.runPrepared<ClaimedRow>(CLAIM_NEXT, [this.leaseS])).rows[0]);
  }

  /** Renews the lease, unless it has passed on. */
  async renew(id: string, leaseToken: string): Promise<void> {
    await this.statements.run(RENEW, [id, leaseToken, this.leaseS]);
  }

  /** Writes the outcome, in the transaction of the change that the message made. It leaves with the commit, which fails with LeaseLost. */
  conclude(
    transaction: Transaction,
    { record, leaseToken }: Pick<HeldMessage, 'record' | 'leaseToken'>,
    conclusion: Conclusion,
  ): void {
    const { state, retryable, ackCode, ack, problems, analysisIds, pointedImageIds, heldItemId = null } = conclusion;
    const sealed = ack === null ? null : this.encryption.seal(ack, record.id);
    const values = [
      record.id,
      leaseToken,
      state,
      retryable,
      ackCode,
      sealed,
      storableProblems(problems),
      [...analysisIds],
      [...pointedImageIds],
      heldItemId,
    ];
    statementsOf(transaction).sendPrepared(CONCLUDE, values, (error) =>
      stateOf(error) === DIVISION_BY_ZERO ? new LeaseLost('The lease of a message has passed on.') : error,
    );
  }

  /** Puts a message off for `delayS`. `counts`: the message itself was at fault, not a service that it needs. */
  async postpone(
    { record, leaseToken }: Pick<HeldMessage, 'record' | 'leaseToken'>,
    delayS: number,
    counts: boolean,
  ): Promise<void> {
    await this.statements.run(POSTPONE, [record.id, leaseToken, delayS, counts ? 0 : 1]);
  }

  /** null: unknown. */
  async read(id: string): Promise<StoredOutcome | null> {
    const row = (await this.statements.run<RecordRow & Omit<StoredOutcome, 'record'>>(READ, [id])).rows[0];
    if (row === undefined) return null;
    const { ack, retryable, ...record } = row;
    return { record, retryable, ack: this.openAnswer(ack, id) };
  }

  private async held(row: ClaimedRow | undefined): Promise<HeldMessage | SealedMessage | null> {
    if (row === undefined) return null;
    const { raw, leaseToken, ...record } = row;
    try {
      return { record, leaseToken, bytes: this.encryption.open(raw, record.id) };
    } catch (fault) {
      if (!isSuturaError(fault, 'hl7.sealed')) throw fault;
      await this.statements.run(PUT_ASIDE, [record.id, leaseToken, storableProblems(problemsOf(fault))]);
      return { sealed: record };
    }
  }

  /** null also where no key decrypts it: the code of the outcome is known, and an answer can be written anew. */
  private openAnswer(ack: Buffer | null, id: string): Buffer | null {
    return ack === null || !this.encryption.hasKeyOf(ack) ? null : this.encryption.open(ack, id);
  }
}

interface ClaimedRow extends RecordRow {
  readonly raw: Buffer;
  readonly leaseToken: string;
}
