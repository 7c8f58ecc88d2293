import { Injectable } from '@nestjs/common';
import { RetainedMessages } from '../../../core/erasure/retention-policy.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { SystemStatements } from '../../../platform/database/statements.js';
import { MessageEncryption } from '../../encryption/message-encryption.js';

const HELD = `select distinct identifier.value from legal_holds hold join patients held on held.id = hold.patient_id
    join patient_identifiers identifier on identifier.patient_id = coalesce(held.merged_into, held.id)
  where hold.organization_id = $1 and hold.environment = $2`;
/** $3: before, $4: terms of patients on hold, $5: limit. What waits, or lies aside for a person, stays. */
const OLD = (time: string, done: string): string =>
  `organization_id = $1 and environment = $2 and ${time} < $3 and state in (${done}) and not terms && $4::bytea[]`;
/** Results of an order whose message is gone no longer repeat its fields. */
const INBOUND = `with old as (select id from hl7_inbound where ${OLD('received_at', `'processed', 'ignored', 'failed', 'discarded'`)} order by id limit $5),
    orders as (delete from hl7_orders using old where inbound_id = old.id returning hl7_orders.id)
  select id from old`;
const REMOVE = 'delete from hl7_inbound where id = any($1) returning size_bytes as bytes';
const OUTBOUND = `delete from hl7_outbox where id in (select id from hl7_outbox message where ${OLD('created_at', `'delivered', 'discarded', 'collapsed', 'moved'`)}
    and not exists (select from hl7_outbox other where other.moved_to = message.id) order by id limit $5) returning size_bytes as bytes`;

/** Messages that are done with, by their age. */
@Injectable()
export class AgedMessages extends RetainedMessages {
  constructor(
    private readonly statements: SystemStatements,
    private readonly encryption: MessageEncryption,
  ) {
    super();
  }

  async removeBefore(
    { organizationId, environment }: Tenant,
    before: Date,
    limit: number,
  ): Promise<{ readonly rows: number; readonly bytes: number }> {
    const held = await this.statements.run<{ value: string }>(HELD, [organizationId, environment]);
    const terms = this.encryption.terms
      .wanted(
        'patient',
        held.rows.map(({ value }) => value),
      )
      .flat();
    const values = [organizationId, environment, before, terms, limit];
    const old = await this.statements.run<{ id: string }>(INBOUND, values);
    const inbound = await this.statements.run<{ bytes: number }>(REMOVE, [old.rows.map(({ id }) => id)]);
    const outbound = await this.statements.run<{ bytes: number }>(OUTBOUND, values);
    const bytes = [...inbound.rows, ...outbound.rows].reduce((sum, row) => sum + row.bytes, 0);
    return { rows: inbound.rows.length + outbound.rows.length, bytes };
  }
}
