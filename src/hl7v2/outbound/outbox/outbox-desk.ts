import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { Environment, Tenant } from '../../../core/tenancy/tenant.js';
import { isCanonicalUuid, SystemStatements } from '../../../platform/database/statements.js';
import { MessageVault } from '../../vault/message-vault.js';
import { RESULTS_OUT_CHANNEL, type OutboundKind, type OutboundRecord, type OutboundState } from './outbound-message.js';

export interface OutboxFilter {
  readonly tenant?: Tenant | undefined;
  readonly destinationId?: string | undefined;
  readonly state?: OutboundState | undefined;
  /** The report, the analysis that failed, or the message that is answered. */
  readonly subjectId?: string | undefined;
}

/** What waits for one destination. */
export interface Backlog {
  readonly destinationId: string;
  readonly waiting: number;
  readonly parked: number;
  /** Seconds since the oldest waiting message was made; 0 without one. */
  readonly oldestS: number;
}

const COLUMNS = `message.id, message.destination_id as "destinationId", message.organization_id as "organizationId", message.environment, message.control_id as "controlId",
  message.kind, message.subject_id as "subjectId", message.version, message.state, message.size_bytes as "sizeBytes", message.attempts, message.next_at as "nextAt",
  message.ack_code as "ackCode", message.ack_condition as "ackCondition", message.application_code as "applicationCode",
  message.created_at as "createdAt", message.sent_at as "sentAt", message.delivered_at as "deliveredAt", message.erased`;
const LIST = `select ${COLUMNS} from hl7_outbox message
  where ($1::uuid is null or message.organization_id = $1) and ($2::text is null or message.environment = $2) and ($3::uuid is null or message.destination_id = $3)
    and ($4::text is null or message.state = $4) and ($5::uuid is null or message.subject_id = $5) and ($6::uuid is null or message.id < $6)
  order by message.id desc limit $7`;
const FIND = `select ${COLUMNS}, message.message from hl7_outbox message where message.id = $1`;
const NEWER_DELIVERED = `exists (select from hl7_outbox newer where newer.destination_id = message.destination_id and newer.subject_id = message.subject_id
  and newer.version > message.version and newer.state = 'delivered')`;
const AGAIN = `update hl7_outbox message set state = 'waiting', next_at = sutura_now(), failures = 0, refusals = 0, application_code = null
  where message.id = $1 and message.state = $2 and not ${NEWER_DELIVERED} returning message.destination_id`;
const MOVE = 'update hl7_outbox message set state = $3 where message.id = $1 and message.state = any ($2) returning message.destination_id';
const TELL = 'select pg_notify($1, $2)';
const BACKLOG = `select destination.id as "destinationId", count(*) filter (where message.state = 'waiting')::int as waiting, count(*) filter (where message.state = 'parked')::int as parked,
    coalesce(extract(epoch from sutura_now() - min(message.created_at) filter (where message.state = 'waiting')), 0)::float8 as "oldestS"
  from hl7_destinations destination left join hl7_outbox message on message.destination_id = destination.id and message.state in ('waiting', 'parked')
  where destination.deleted_at is null and destination.enabled group by destination.id`;

interface Row extends OutboundRecord {
  readonly environment: Environment;
  readonly kind: OutboundKind;
}

/** The outbox as operators see it. For the service's own work over all tenants: never reached from a caller's key. */
@Injectable()
export class OutboxDesk {
  constructor(
    private readonly statements: SystemStatements,
    private readonly vault: MessageVault,
  ) {}

  /** Newest first. `after`: the id that the page before ended with. */
  async list({ tenant, destinationId, state, subjectId }: OutboxFilter, limit: number, after: string | null = null): Promise<OutboundRecord[]> {
    const ids = [destinationId, subjectId, after ?? undefined, tenant?.organizationId];
    if (ids.some((id) => id !== undefined && !isCanonicalUuid(id))) return [];
    const values = [tenant?.organizationId ?? null, tenant?.environment ?? null, destinationId ?? null, state ?? null, subjectId ?? null, after, limit];
    return (await this.statements.run<Row>(LIST, values)).rows;
  }

  /** With the bytes as they are sent. `hl7.message_not_found`, `hl7.sealed`. */
  async show(id: string): Promise<{ readonly record: OutboundRecord; readonly bytes: Buffer }> {
    const row = isCanonicalUuid(id) ? (await this.statements.run<Row & { readonly message: Buffer }>(FIND, [id])).rows[0] : undefined;
    if (row === undefined) throw new SuturaError('hl7.message_not_found');
    const { message, ...record } = row;
    return { record, bytes: this.vault.open(message, id) };
  }

  /** A parked message goes where it stood, with its bytes. `hl7.message_not_found`, `hl7.not_parked`, `hl7.superseded`. */
  requeue(id: string): Promise<void> {
    return this.again(id, 'parked');
  }

  /** A delivered message is sent once more, with its bytes. `hl7.message_not_found`, `hl7.in_progress` where it still waits, `hl7.not_parked`, `hl7.superseded`. */
  replay(id: string): Promise<void> {
    return this.again(id, 'delivered');
  }

  /** A waiting message steps aside; where it is being sent just now, its acknowledgment still counts. `hl7.message_not_found`, `hl7.not_parked`. */
  park(id: string): Promise<void> {
    return this.move(id, ['waiting'], 'parked');
  }

  /** A parked message is given up for good. `hl7.message_not_found`, `hl7.not_parked`. */
  discard(id: string): Promise<void> {
    return this.move(id, ['parked'], 'discarded');
  }

  /** Of every destination that is switched on. */
  async backlog(): Promise<Backlog[]> {
    return (await this.statements.run<Backlog>(BACKLOG)).rows;
  }

  private async again(id: string, from: 'parked' | 'delivered'): Promise<void> {
    const { state } = await this.find(id);
    if (state === 'waiting') throw new SuturaError('hl7.in_progress');
    if (state !== from) throw new SuturaError('hl7.not_parked');
    const { rows } = await this.statements.run<{ destination_id: string }>(AGAIN, [id, from]);
    if (rows[0] === undefined) throw new SuturaError('hl7.superseded');
    await this.statements.run(TELL, [RESULTS_OUT_CHANNEL, rows[0].destination_id]);
  }

  private async move(id: string, from: readonly OutboundState[], to: OutboundState): Promise<void> {
    await this.find(id);
    const { rows } = await this.statements.run<{ destination_id: string }>(MOVE, [id, from, to]);
    if (rows[0] === undefined) throw new SuturaError('hl7.not_parked');
    await this.statements.run(TELL, [RESULTS_OUT_CHANNEL, rows[0].destination_id]);
  }

  private async find(id: string): Promise<OutboundRecord> {
    return (await this.show(id)).record;
  }
}
