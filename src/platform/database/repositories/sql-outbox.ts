import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import type { DeliveredEvent, DomainEvent, DomainEventKind } from '../../../core/domain-events/domain-event.js';
import { Outbox } from '../../../core/ports/outbox.js';
import type { Transaction } from '../../../core/ports/unit-of-work.js';
import type { Environment } from '../../../core/tenancy/tenant.js';
import { SystemStatements } from '../statements.js';
import { statementsOf } from '../unit-of-work.js';

/** Any statement that writes an event names its columns in this order. */
export const EVENT_COLUMNS = 'id, kind, organization_id, environment, subject_id, created_at, next_try_at';
const INSERT = `insert into outbox_events (${EVENT_COLUMNS})
  values ($1, $2, $3, $4, $5, sutura_now(), sutura_now())`;
/** 30 s, doubled with each try, 2 h at most. */
const TAKE_DUE = `with due as (
    select sequence from outbox_events where next_try_at <= (select sutura_now())
      order by next_try_at, sequence limit $1 for update skip locked),
  lent as (
    update outbox_events event set tries = tries + 1,
        next_try_at = sutura_now() + least(interval '2 hours', interval '30 seconds' * power(2, least(tries, 10)))
      from due where event.sequence = due.sequence returning event.*)
  select id, kind, organization_id, environment, subject_id from lent order by sequence`;

interface EventRow {
  readonly id: string;
  readonly kind: DomainEventKind;
  readonly organization_id: string;
  readonly environment: Environment;
  readonly subject_id: string;
}

@Injectable()
export class SqlOutbox extends Outbox {
  private readonly listeners = new Set<() => void>();
  private readonly touched = new WeakSet<Transaction>();

  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async append(transaction: Transaction, event: DomainEvent): Promise<void> {
    const { organizationId, environment } = event.tenant;
    await statementsOf(transaction).runPrepared(INSERT, [
      v7(),
      event.kind,
      organizationId,
      environment,
      event.subjectId,
    ]);
    if (this.touched.has(transaction)) return;
    this.touched.add(transaction);
    transaction.afterCommit(() => this.announce());
  }

  /** For statements that commit an event by themselves. */
  announce(): void {
    this.listeners.forEach((listener) => listener());
  }

  onAppended(listener: () => void): void {
    this.listeners.add(listener);
  }

  async takeDue(limit: number): Promise<DeliveredEvent[]> {
    const { rows } = await this.statements.run<EventRow>(TAKE_DUE, [limit]);
    return rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      tenant: { organizationId: row.organization_id, environment: row.environment },
      subjectId: row.subject_id,
    }));
  }

  async markDelivered(eventIds: readonly string[]): Promise<void> {
    if (eventIds.length === 0) return;
    await this.statements.run('delete from outbox_events where id = any ($1::uuid[])', [eventIds]);
  }
}
