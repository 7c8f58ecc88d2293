import { Injectable } from '@nestjs/common';
import { isSuturaError } from '../../../core/errors/sutura-error.js';
import { IdSource } from '../../../core/ports/id-source.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { Logger } from '../../../platform/logging/logger.js';
import { MessageEncryption } from '../encryption/message-encryption.js';

/**
 * An order as received, which results and answers repeat: raw ER7 of fields or whole segments, with the delimiters
 * `|^~\&` whatever the message used, decoded to Unicode. "" where the message had none.
 */
export interface ReceivedOrder {
  /** The placer's number (ORC-2, else OBR-2) as an identifier, by which orders are found. */
  readonly placerSystem: string;
  readonly placerValue: string;
  /** Fields. */
  readonly orc2: string;
  readonly orc12: string;
  readonly obr4: string;
  readonly obr16: string;
  readonly obr31: string;
  /** Whole segments. */
  readonly pid: string;
  readonly pv1: string;
}

/** An order of a message, to be kept. */
export interface NewReceivedOrder {
  readonly inboundId: string;
  readonly sourceId: string;
  /** `ServiceRequest/id`, as analysis requests have their order; null: photos without an order. */
  readonly orderKey: string | null;
  /** Analyses of the message, where it has no other order. */
  readonly analysisIds: readonly string[];
  readonly received: ReceivedOrder;
}

export interface StoredOrder {
  readonly sourceId: string;
  /** MSH-4 of the message that it came in with. */
  readonly facility: string;
  /** null: no configured key decrypts it. */
  readonly received: ReceivedOrder | null;
}

interface Row {
  readonly id: string;
  readonly inboundId: string;
  readonly sourceId: string;
  readonly facility: string;
  readonly echo: Buffer;
}

/** The latest message about an order counts. */
const UPSERT = `insert into hl7_orders (id, organization_id, environment, inbound_id, source_id, order_key, analysis_ids, echo, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, sutura_now())
  on conflict (organization_id, environment, order_key) where order_key is not null do update
    set id = excluded.id, inbound_id = excluded.inbound_id, source_id = excluded.source_id, echo = excluded.echo, created_at = excluded.created_at,
        analysis_ids = coalesce((select array_agg(distinct known) from unnest(hl7_orders.analysis_ids || excluded.analysis_ids) known), '{}')`;
const FIND = `select hl7_orders.id, hl7_orders.inbound_id as "inboundId", hl7_orders.source_id as "sourceId", hl7_inbound.sending_facility as facility, echo
  from hl7_orders join hl7_inbound on hl7_inbound.id = hl7_orders.inbound_id
  where hl7_orders.organization_id = $1 and hl7_orders.environment = $2 and (order_key = $3 or hl7_orders.analysis_ids && $4::uuid[])
  order by (order_key is not distinct from $3) desc, hl7_orders.created_at desc limit 1`;

/** The orders that were received, kept for the results and answers that repeat them. */
@Injectable()
export class ReceivedOrders {
  constructor(
    private readonly encryption: MessageEncryption,
    private readonly ids: IdSource,
    private readonly logger: Logger,
  ) {}

  async keep(
    transaction: TenantTransaction,
    { inboundId, sourceId, orderKey, analysisIds, received }: NewReceivedOrder,
  ): Promise<void> {
    const { organizationId, environment } = transaction.tenant;
    const id = this.ids.next();
    const sealed = this.encryption.seal(Buffer.from(JSON.stringify(received)), id);
    await statementsOf(transaction).run(UPSERT, [
      id,
      organizationId,
      environment,
      inboundId,
      sourceId,
      orderKey,
      [...analysisIds],
      sealed,
    ]);
  }

  /**
   * The order of an analysis, found by `analysis_requests.order_key` where it has one, else by its id or those of the jobs that it does again.
   * null: it did not come in by HL7 v2.
   */
  async find(
    transaction: TenantTransaction,
    of: { readonly orderKey: string | null; readonly analysisIds: readonly string[] },
  ): Promise<StoredOrder | null> {
    const { organizationId, environment } = transaction.tenant;
    const { rows } = await statementsOf(transaction).run<Row>(FIND, [
      organizationId,
      environment,
      of.orderKey,
      [...of.analysisIds],
    ]);
    const row = rows[0];
    return row === undefined ? null : { sourceId: row.sourceId, facility: row.facility, received: this.open(row) };
  }

  /** A result does not wait for a key: it is sent with the order as the records have it. */
  private open({ id, inboundId, echo }: Row): ReceivedOrder | null {
    try {
      return JSON.parse(this.encryption.open(echo, id).toString()) as ReceivedOrder;
    } catch (fault) {
      if (!isSuturaError(fault, 'hl7.sealed')) throw fault;
      this.logger.error('hl7.order_sealed', { messageId: inboundId });
      return null;
    }
  }
}
