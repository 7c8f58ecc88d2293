import { Injectable } from '@nestjs/common';
import { isSuturaError, SuturaError } from '../../../core/errors/sutura-error.js';
import type { Environment, Tenant } from '../../../core/tenancy/tenant.js';
import { isCanonicalUuid, SystemStatements } from '../../../platform/database/statements.js';
import { MessageSearch } from '../../../standards/hl7v2/encryption/message-search.js';
import { MessageEncryption } from '../../../standards/hl7v2/encryption/message-encryption.js';
import { wordsOf } from '../../../standards/hl7v2/encryption/search-terms.js';
import { MessageFileStore, readable } from '../../../standards/hl7v2/files/message-file-store.js';
import { messageNumbers, type MessageNumbers } from '../../../standards/hl7v2/er7/message-numbers.js';
import { toPastEvents, type KeptHistory, type PastEvent } from '../../kit/index.js';
import { openAnswer } from './answer-encryption.js';
import type { MessageFile } from './message-file.js';
import type { KeptAnswer, OutboundKind, OutboundRecord, OutboundState } from './outbound-message.js';

export interface OutboundFilter {
  readonly tenant?: Tenant | undefined;
  /** Where no tenant is named. */
  readonly organizationId?: string | undefined;
  readonly environment?: Environment | undefined;
  readonly destinationId?: string | undefined;
  readonly state?: OutboundState | undefined;
  /** The report, the analysis that failed, or the message that is answered. */
  readonly subjectId?: string | undefined;
  /** MSH-10. */
  readonly controlId?: string | undefined;
  /** A number of a patient, or one of an order, placer's or filler's; as the message has it. */
  readonly patient?: string | undefined;
  readonly order?: string | undefined;
  /** Words of what the receiver answered, its codes, or those of a fault. */
  readonly error?: string | undefined;
  /** When the message was made. */
  readonly from?: Date | undefined;
  /** Not included. */
  readonly to?: Date | undefined;
}

/** Columns of an OutboundRecord, of the table called `message`. */
const OUTBOUND_COLUMNS = `message.id, message.destination_id as "destinationId", message.organization_id as "organizationId", message.environment,
  message.control_id as "controlId", message.kind, message.subject_id as "subjectId", message.version, message.state, message.size_bytes as "sizeBytes", message.attempts,
  message.next_at as "nextAt", message.ack_code as "ackCode", message.ack_condition as "ackCondition", message.application_code as "applicationCode",
  message.parked_for as "parkedFor", message.fault, message.moved_to as "movedTo",
  message.created_at as "createdAt", message.sent_at as "sentAt", message.delivered_at as "deliveredAt", message.erased`;
/** Without the receiver's words, which are read for one message alone. */
const HISTORY = `(select coalesce(jsonb_agg(entry - 'said' order by place), '[]') from jsonb_array_elements(message.history) with ordinality as kept (entry, place)) as history`;
const LISTED_COLUMNS = `${OUTBOUND_COLUMNS}, ${HISTORY}`;

interface OutboundRow extends Omit<OutboundRecord, 'history'> {
  readonly environment: Environment;
  readonly kind: OutboundKind;
  readonly history: KeptHistory;
}

const FIND = `select ${OUTBOUND_COLUMNS}, message.history, message.answer from hl7_outbox message where message.id = $1`;
/** Destination by destination, since the index begins with it; deleted ones are among them. */
const ABOUT = `select told.* from unnest($1::uuid[], $2::text[], $3::uuid[]) as asked (organization_id, environment, subject_id)
    join hl7_destinations destination on destination.organization_id = asked.organization_id and destination.environment = asked.environment
    cross join lateral (select ${LISTED_COLUMNS} from hl7_outbox message where message.destination_id = destination.id and message.subject_id = asked.subject_id
      order by message.id limit $4) told order by told.id`;
const BYTES = 'select message, files from hl7_outbox where id = $1';

/** Of what waits for a destination so many are looked at, oldest first: a receiver that takes nothing is asked for these. */
const LOOKED_AT = 200;
const FAILING = `select destination.id as "destinationId", tried.since, coalesce(tried.fault, tried.application_code, tried.ack_code) as said
    from hl7_destinations destination cross join lateral (
      select fault, application_code, ack_code, coalesce((history -> 0 ->> 'at')::timestamptz, created_at) as since from (
        select * from hl7_outbox where destination_id = destination.id and state = 'waiting' order by number limit ${LOOKED_AT}) oldest
      where attempts > 0 order by number limit 1) tried
    where destination.deleted_at is null`;

const OUTLINE = 'select message, answer from hl7_outbox where id = $1';

function toRecord({ history, ...record }: OutboundRow): OutboundRecord {
  return { ...record, history: toPastEvents(history) };
}

/** What happened to a message, with the receiver's words where they are kept and a key opens them. */
export interface PastEventInWords extends PastEvent {
  readonly answerWords: KeptAnswer | null;
}

/** A receiver that takes nothing. */
export interface ReceiverOutage {
  readonly since: Date;
  /** Code of the last answer, or of what there was instead; null: the attempt is under way. */
  readonly said: string | null;
}

/** A message without its bytes. */
export interface FoundOutbound {
  readonly record: OutboundRecord;
  /** The receiver's words on the last attempt. */
  readonly answer: KeptAnswer | null;
  readonly history: readonly PastEventInWords[];
}

/** Numbers of patient and order, and the receiver's words. */
export interface OutboundOutline extends MessageNumbers {
  readonly answer: KeptAnswer | null;
}

/** A message with its bytes. */
export interface OutboundContent extends FoundOutbound {
  readonly bytes: Buffer;
  /** False: the object store lost a file of it. A document is made anew when the message is sent. */
  readonly isWhole: boolean;
}

/** The outbox, read for operators. Over all tenants: never reached from a caller's key. */
@Injectable()
export class OutboundQueries {
  constructor(
    private readonly statements: SystemStatements,
    private readonly encryption: MessageEncryption,
    private readonly files: MessageFileStore,
  ) {}

  /** Newest first. `after`: the id that the page before ended with. */
  async list(filter: OutboundFilter, limit: number, after: string | null = null): Promise<OutboundRecord[]> {
    const { tenant, destinationId, state, subjectId, controlId, patient, order, error, from, to } = filter;
    const { organizationId, environment } = tenant ?? filter;
    const ids = [destinationId, subjectId, after ?? undefined, organizationId];
    if (ids.some((id) => id !== undefined && !isCanonicalUuid(id))) return [];
    const { terms } = this.encryption;
    const search = new MessageSearch()
      .equal('message.organization_id', organizationId)
      .equal('message.environment', environment)
      .equal('message.destination_id', destinationId)
      .equal('message.state', state)
      .equal('message.subject_id', subjectId)
      .equal('message.control_id', controlId)
      .between('message.created_at', from, to)
      .before('message.id', after)
      .named('message.terms', patient === undefined ? undefined : terms.wanted('patient', [patient]))
      .named('message.terms', order === undefined ? undefined : terms.wanted('order', [order]))
      .named('message.answer_terms', error === undefined ? undefined : terms.wanted('word', wordsOf(error)));
    const { sql, values } = search.newestFirst(`select ${LISTED_COLUMNS} from hl7_outbox message`, 'message.id', limit);
    return (await this.statements.run<OutboundRow>(sql, values)).rows.map(toRecord);
  }

  /** Messages about each of these reports, failed analyses or messages, oldest first; at most so many about each to each destination. */
  async listAbout(
    subjects: readonly { readonly tenant: Tenant; readonly id: string }[],
    limit: number,
  ): Promise<OutboundRecord[]> {
    if (subjects.length === 0) return [];
    const { rows } = await this.statements.run<OutboundRow>(ABOUT, [
      subjects.map(({ tenant }) => tenant.organizationId),
      subjects.map(({ tenant }) => tenant.environment),
      subjects.map(({ id }) => id),
      limit,
    ]);
    return rows.map(toRecord);
  }

  /** Destinations whose receiver has not taken a message that it was asked for: since when, and what came of the last attempt. */
  async failing(): Promise<ReadonlyMap<string, ReceiverOutage>> {
    const { rows } = await this.statements.run<ReceiverOutage & { readonly destinationId: string }>(FAILING);
    return new Map(rows.map(({ destinationId, ...receiver }) => [destinationId, receiver]));
  }

  /** Without its bytes, which may be sealed. `hl7.message_not_found`. */
  async find(id: string): Promise<FoundOutbound> {
    const row = isCanonicalUuid(id)
      ? (await this.statements.run<OutboundRow & { readonly answer: Buffer | null }>(FIND, [id])).rows[0]
      : undefined;
    if (row === undefined) throw new SuturaError('hl7.message_not_found');
    const { answer, ...record } = row;
    const history = toPastEvents(record.history).map((event) => ({
      ...event,
      answerWords: openAnswer(this.encryption, id, event.said),
    }));
    return { record: toRecord(record), answer: openAnswer(this.encryption, id, answer), history };
  }

  /** Its bytes without its files; null: no key opens them. `hl7.message_not_found`. */
  async written(id: string): Promise<Buffer | null> {
    const { rows } = await this.statements.run<{ message: Buffer }>(BYTES, [id]);
    if (rows[0] === undefined) throw new SuturaError('hl7.message_not_found');
    return this.opened(rows[0].message, id);
  }

  /** What a person tells it by, without its files; numbers are missing where no key opens it. `hl7.message_not_found`. */
  async outline(id: string): Promise<OutboundOutline> {
    const { rows } = await this.statements.run<{ message: Buffer; answer: Buffer | null }>(OUTLINE, [id]);
    if (rows[0] === undefined) throw new SuturaError('hl7.message_not_found');
    const { message, answer } = rows[0];
    return { ...this.numbersOf(message, id), answer: openAnswer(this.encryption, id, answer) };
  }

  private numbersOf(message: Buffer, id: string): MessageNumbers {
    const opened = this.opened(message, id);
    return opened === null ? { patients: [], orders: [] } : messageNumbers(opened);
  }

  private opened(message: Buffer, id: string): Buffer | null {
    try {
      return this.encryption.open(message, id);
    } catch (fault) {
      if (isSuturaError(fault, 'hl7.sealed')) return null;
      throw fault;
    }
  }

  /**
   * With the bytes as they are sent, and what the receiver said of a refusal. `hl7.message_not_found`, `hl7.sealed`, and what the object store
   * says where it cannot be asked.
   */
  async show(id: string): Promise<OutboundContent> {
    const found = await this.find(id);
    const { rows } = await this.statements.run<{ message: Buffer; files: MessageFile[] | null }>(BYTES, [id]);
    if (rows[0] === undefined) throw new SuturaError('hl7.message_not_found');
    const { message, files } = rows[0];
    const filled = await this.files.fill(this.encryption.open(message, id), files);
    return { ...found, bytes: readable(filled), isWhole: filled.lost.length === 0 };
  }
}
