import { Injectable } from '@nestjs/common';
import { ClinicalEventRepository } from '../../core/followup/clinical-event.repository.js';
import type { ClinicalEvent, EventWithdrawal } from '../../core/followup/clinical-event.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { toJsonb } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const INSERT = `insert into clinical_events (id, organization_id, environment, wound_id, type, occurred_at, note, performer, recorded_at, entered_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;
const OF_SERIES = `with recursive family as (
    select id from wounds where organization_id = $1 and environment = $2 and id = $3
    union all select child.id from wounds child join family on child.merged_into = family.id
      where child.organization_id = $1 and child.environment = $2)
  select id, wound_id as "woundId", type, occurred_at as "occurredAt", note, performer as by, recorded_at as "recordedAt", entered_by as "enteredBy",
    withdrawn_at as "withdrawnAt", withdrawal
  from clinical_events where wound_id = any (array(select id from family)) order by occurred_at, id`;
const EXISTS = `select exists (select from clinical_events where organization_id = $1 and environment = $2 and id = $3) as exists`;
const WITHDRAW = `update clinical_events set withdrawn_at = $4, withdrawal = $5
  where organization_id = $1 and environment = $2 and id = $3 and withdrawn_at is null`;

interface EventRow extends Omit<ClinicalEvent, 'withdrawal'> {
  readonly withdrawnAt: Date | null;
  readonly withdrawal: Omit<EventWithdrawal, 'withdrawnAt'> | null;
}

@Injectable()
export class SqlClinicalEventRepository extends ClinicalEventRepository {
  async insert(transaction: TenantTransaction, event: ClinicalEvent): Promise<void> {
    await statementsOf(transaction).run(INSERT, [
      event.id,
      transaction.tenant.organizationId,
      transaction.tenant.environment,
      event.woundId,
      event.type,
      event.occurredAt,
      event.note,
      toJsonb(event.by),
      event.recordedAt,
      event.enteredBy,
    ]);
  }

  async ofSeries(transaction: TenantTransaction, rootWoundId: string): Promise<ClinicalEvent[]> {
    const { organizationId, environment } = transaction.tenant;
    const { rows } = await statementsOf(transaction).run<EventRow>(OF_SERIES, [
      organizationId,
      environment,
      rootWoundId,
    ]);
    return rows.map(({ withdrawnAt, withdrawal, ...event }) => ({
      ...event,
      withdrawal: withdrawnAt === null || withdrawal === null ? null : { withdrawnAt, ...withdrawal },
    }));
  }

  async exists(transaction: TenantTransaction, eventId: string): Promise<boolean> {
    const { organizationId, environment } = transaction.tenant;
    const values = [organizationId, environment, eventId];
    const { rows } = await statementsOf(transaction).run<{ exists: boolean }>(EXISTS, values);
    return rows[0]!.exists;
  }

  async withdraw(
    transaction: TenantTransaction,
    eventId: string,
    { withdrawnAt, ...withdrawal }: EventWithdrawal,
  ): Promise<void> {
    const { organizationId, environment } = transaction.tenant;
    await statementsOf(transaction).run(WITHDRAW, [
      organizationId,
      environment,
      eventId,
      withdrawnAt,
      toJsonb(withdrawal),
    ]);
  }
}
