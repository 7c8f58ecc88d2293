import { Injectable } from '@nestjs/common';
import type { TenantTransaction, Transaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';

/** A version that a message carries. */
export interface OrderPart {
  /** A report, or an analysis without a result. */
  readonly subjectId: string;
  readonly version: number;
}

const TOLD = `select subject_id as "subjectId", max(version)::int as version from (
    select subject_id, version from hl7_outbox where destination_id = $1 and subject_id = any($2::uuid[])
    union all select subject_id, version from hl7_order_parts where destination_id = $1 and subject_id = any($2::uuid[])) told
  group by subject_id`;
const KEEP = `insert into hl7_order_parts (organization_id, environment, destination_id, subject_id, version)
  select $1, $2, $3, subject_id, version from unnest($4::uuid[], $5::int[]) as part (subject_id, version)
  on conflict (destination_id, subject_id) do update set version = greatest(hl7_order_parts.version, excluded.version)`;

/** What destinations were told in messages about a whole order, beside the subject that the queue has each under. */
@Injectable()
export class OrderParts {
  /** The highest version of each that the destination was sent, however; absent: none. */
  async told(
    transaction: Transaction,
    destinationId: string,
    subjectIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const { rows } = await statementsOf(transaction).run<OrderPart>(TOLD, [destinationId, [...subjectIds]]);
    return new Map(rows.map(({ subjectId, version }) => [subjectId, version]));
  }

  /** Until the transaction ends nobody else tells the destination of the order. */
  async lock(transaction: Transaction, destinationId: string, orderKey: string): Promise<void> {
    await statementsOf(transaction).run('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `hl7.order ${destinationId} ${orderKey}`,
    ]);
  }

  async keep(transaction: TenantTransaction, destinationId: string, parts: readonly OrderPart[]): Promise<void> {
    const { organizationId, environment } = transaction.tenant;
    await statementsOf(transaction).run(KEEP, [
      organizationId,
      environment,
      destinationId,
      parts.map(({ subjectId }) => subjectId),
      parts.map(({ version }) => version),
    ]);
  }
}
