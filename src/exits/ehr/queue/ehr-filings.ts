import { Injectable } from '@nestjs/common';
import type { DeliveryFilter, ExitAct, ExitAttempt, ExitDelivery } from '../../../core/deliveries/delivery-exit.js';
import { isCanonicalUuid, SystemStatements } from '../../../platform/database/statements.js';
import { actsOf, attemptsOf, DELIVERY_STATES, toPastEvents, type KeptHistory } from '../../kit/index.js';
import type { KeptResource } from './kept-resource.js';

/** A delivery to an EHR as operators see it. */
export interface FilingRecord extends Omit<ExitDelivery, 'exit'> {
  readonly body: { readonly reportId: string; readonly version: number };
  /** What the EHR filed it as; empty: nothing yet. */
  readonly filed: readonly KeptResource[];
  readonly log: readonly ExitAttempt[];
  readonly acts: readonly ExitAct[];
}

interface Row extends Omit<FilingRecord, 'body' | 'log' | 'acts'> {
  readonly reportId: string;
  readonly version: number;
  readonly history: KeptHistory;
}

const SELECT = `select id, ehr_id as "endpointId", organization_id as "organizationId", environment, type, state, attempts,
    case when state <> 'delivered' then coalesce(held_for, fault, answer_codes) end as fault, created_at as "createdAt",
    case when state = 'waiting' then next_at end as "nextAt", delivered_at as "deliveredAt", report_id as "reportId", version,
    coalesce(filed, '[]') as filed, history
  from ehr_deliveries`;
const FIND = `${SELECT} where id = $1`;
const LIST = `${SELECT} where ($1::uuid is null or ehr_id = $1) and ($2::uuid is null or organization_id = $2)
    and ($3::text is null or environment = $3) and ($4::text is null or state = $4) order by id desc limit $5`;
const ENDED = `${SELECT} where ehr_id = $1 and state in ('delivered', 'parked') and created_at >= $2 and ($3::timestamptz is null or created_at < $3) order by number`;

/** Deliveries to EHRs, over all tenants: for operators alone. */
@Injectable()
export class EhrFilings {
  constructor(private readonly statements: SystemStatements) {}

  async find(id: string): Promise<FilingRecord | null> {
    const row = isCanonicalUuid(id) ? (await this.statements.run<Row>(FIND, [id])).rows[0] : undefined;
    return row === undefined ? null : toRecord(row);
  }

  /** Newest first. */
  async list(
    { endpointId, organizationId, environment, state }: DeliveryFilter,
    limit: number,
  ): Promise<FilingRecord[]> {
    if ([endpointId, organizationId].some((id) => id !== undefined && !isCanonicalUuid(id))) return [];
    if (state !== undefined && !(DELIVERY_STATES as readonly string[]).includes(state)) return [];
    const wanted = [endpointId, organizationId, environment, state].map((value) => value ?? null);
    return (await this.statements.run<Row>(LIST, [...wanted, limit])).rows.map(toRecord);
  }

  /** Delivered or parked ones that were made in that time, in their order. */
  async ended(ehrId: string, since: Date, until: Date | null): Promise<FilingRecord[]> {
    return (await this.statements.run<Row>(ENDED, [ehrId, since, until])).rows.map(toRecord);
  }
}

function toRecord({ reportId, version, history, ...row }: Row): FilingRecord {
  const past = toPastEvents(history);
  const before = attemptsOf(past).map(({ at, what, answer, fault }) => ({
    at,
    delivered: what === 'delivered',
    answer,
    fault,
  }));
  const { state, deliveredAt } = row;
  const last =
    state === 'delivered' && deliveredAt !== null
      ? [{ at: deliveredAt, delivered: true, answer: 'filed', fault: null }]
      : [];
  return { ...row, body: { reportId, version }, log: [...before, ...last], acts: actsOf(past) };
}
