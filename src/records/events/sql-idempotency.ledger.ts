import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  IdempotencyLedger,
  type IdempotencyKey,
  type IdempotencyState,
  type StoredAnswer,
} from '../../core/idempotency/idempotency-ledger.js';
import type { Transaction, TenantTransaction } from '../../core/ports/unit-of-work.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { toJsonb } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

/** As the organization says, else 24 h. */
const LIFE_H = `coalesce((select idempotency_hours from retention_policies where organization_id = $1), 24)`;
const PURGE_LIMIT = 1000;
const ROW = 'organization_id = $1 and environment = $2 and route = $3 and key = $4';

interface KeyRow {
  readonly body_sha256: string;
  readonly answer: StoredAnswer;
  readonly expired: boolean;
}

@Injectable()
export class SqlIdempotencyLedger extends IdempotencyLedger {
  async begin(transaction: TenantTransaction, key: IdempotencyKey): Promise<IdempotencyState> {
    const { tenant } = transaction;
    const statements = statementsOf(transaction);
    const lock = await statements.run<{ held: boolean }>('select pg_try_advisory_xact_lock($1::bigint) as held', [
      lockNumber(tenant, key),
    ]);
    if (lock.rows[0]?.held !== true) return { state: 'in_flight' };
    // A statement of its own, as its snapshot must be younger than the lock. Otherwise it would miss the row of the
    // last holder.
    const select = `select body_sha256, answer, expires_at <= sutura_now() as expired from idempotency_keys where ${ROW}`;
    const row = (await statements.run<KeyRow>(select, rowOf(tenant, key))).rows[0];
    if (row === undefined) return { state: 'new' };
    if (!row.expired) return { state: 'stored', bodySha256: row.body_sha256, answer: row.answer };
    await statements.run(`delete from idempotency_keys where ${ROW}`, rowOf(tenant, key));
    return { state: 'new' };
  }

  async store(transaction: TenantTransaction, key: IdempotencyKey, answer: StoredAnswer): Promise<void> {
    const insert = `insert into idempotency_keys (organization_id, environment, route, key, body_sha256, answer, expires_at)
      values ($1, $2, $3, $4, $5, $6, sutura_now() + make_interval(hours => ${LIFE_H}))`;
    await statementsOf(transaction).run(insert, [...rowOf(transaction.tenant, key), key.bodySha256, toJsonb(answer)]);
  }
}

/** Removes up to 1,000 keys past their time. In a system transaction. */
export async function purgeExpiredIdempotencyKeys(transaction: Transaction): Promise<number> {
  const purge = `delete from idempotency_keys where ctid = any (array(
    select ctid from idempotency_keys where expires_at < (select sutura_now()) order by expires_at limit ${PURGE_LIMIT} for update skip locked))`;
  return (await statementsOf(transaction).run(purge)).affected;
}

function rowOf(tenant: Tenant, { route, key }: IdempotencyKey): unknown[] {
  return [tenant.organizationId, tenant.environment, route, key];
}

/** 64 bits of a digest. Two keys that collide by chance only cause one answer in_flight. */
function lockNumber(tenant: Tenant, { route, key }: IdempotencyKey): string {
  const text = ['idempotency', tenant.organizationId, tenant.environment, route, key].join('\0');
  return createHash('sha256').update(text).digest().readBigInt64BE(0).toString();
}
