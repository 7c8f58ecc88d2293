import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { isCanonicalUuid, toJsonb } from '../../../platform/database/statements.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import type { BulkExport, ExportFile, ExportOptions } from './bulk-export.js';

const RUNNING_AT_ONCE = 2;
const RETRY_AFTER_S = 30;
const OF_TENANT = 'organization_id = $1 and environment = $2 collate "C"';
/** Two kick-offs at once must not both be the last that is allowed. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended('bulk-exports ' || $1 || ' ' || $2, 0))`;
const RUNNING = `select count(*)::int as running from bulk_exports where ${OF_TENANT} and state = 'running'`;
const INSERT = `insert into bulk_exports (id, organization_id, environment, asked_by, asked_at, rights, wish, state, expires_at)
  values ($3, $1, $2, $4, $5, $6, $7, 'running', $8)`;
/** $4: the key or client that asks. Whoever was rotated into it asked for it as well. */
const ITS_OWN = `asked_by in (with recursive askers (id) as (
    select $4::uuid union select replaced.id from api_keys replaced join askers on replaced.replaced_by = askers.id) select id from askers)`;
const FIND = `select id, state, reason, wish as options, asked_at as "askedAt", transaction_time as "transactionTime", at_type as "atType",
    resources::float8 as resources, expires_at as "expiresAt"
  from bulk_exports where ${OF_TENANT} and id = $3 and ${ITS_OWN}`;
const FILES = `select number, type, resources, bytes::float8 as bytes from bulk_export_files where ${OF_TENANT} and export = $3 order by number`;
const CANCEL = `update bulk_exports set state = 'ended', reason = 'cancelled', wish = '{}'
  where ${OF_TENANT} and id = $3 and ${ITS_OWN} and state <> 'ended'`;

const END_ALL = `update bulk_exports set state = 'ended', reason = 'patient_erased', wish = '{}'
  where ${OF_TENANT} and files_removed_at is null returning id`;
const COUNT_FILES = `select count(*)::int as rows, coalesce(sum(bytes), 0)::float8 as bytes from bulk_export_files where ${OF_TENANT}`;
const FORGET_FILES = `delete from bulk_export_files where ${OF_TENANT}`;

/** Exports as those know them who asked for them. Each call is part of the caller's transaction. */
@Injectable()
export class BulkExports {
  /** `export.too_many`. */
  async begin(
    transaction: TenantTransaction,
    id: string,
    { keyId, scopes, grants }: Caller,
    asked: { readonly options: ExportOptions; readonly at: Date; readonly expiresAt: Date },
  ): Promise<void> {
    const statements = statementsOf(transaction);
    await statements.run(LOCK, tenantValues(transaction));
    const { rows } = await statements.run<{ running: number }>(RUNNING, tenantValues(transaction));
    if (rows[0]!.running >= RUNNING_AT_ONCE) throw new SuturaError('export.too_many', { retryAfterS: RETRY_AFTER_S });
    const rights = toJsonb({ scopes, ...(grants === undefined ? {} : { grants }) });
    const values = [id, keyId, asked.at, rights, toJsonb(asked.options), asked.expiresAt];
    await statements.run(INSERT, [...tenantValues(transaction), ...values]);
  }

  /** null: the caller has no such export. */
  async find(transaction: TenantTransaction, id: string, { keyId }: Caller): Promise<BulkExport | null> {
    if (!isCanonicalUuid(id)) return null;
    const values = [...tenantValues(transaction), id, keyId];
    return (await statementsOf(transaction).run<BulkExport>(FIND, values)).rows[0] ?? null;
  }

  async files(transaction: TenantTransaction, id: string): Promise<ExportFile[]> {
    const values = [...tenantValues(transaction), id];
    return (await statementsOf(transaction).run<ExportFile>(FILES, values)).rows;
  }

  /** False: it has ended, or belongs to another caller. */
  async cancel(transaction: TenantTransaction, id: string, { keyId }: Caller): Promise<boolean> {
    if (!isCanonicalUuid(id)) return false;
    const values = [...tenantValues(transaction), id, keyId];
    return (await statementsOf(transaction).run(CANCEL, values)).affected === 1;
  }

  /** Ends every export of the tenant whose files may still lie there. Their ids, and what was in their files. In a transaction of the service. */
  async endAll(
    transaction: TenantTransaction,
  ): Promise<{ readonly ids: readonly string[]; readonly files: number; readonly bytes: number }> {
    const statements = statementsOf(transaction);
    const ended = await statements.run<{ id: string }>(END_ALL, tenantValues(transaction));
    const counted = await statements.run<{ rows: number; bytes: number }>(COUNT_FILES, tenantValues(transaction));
    await statements.run(FORGET_FILES, tenantValues(transaction));
    const { rows: files, bytes } = counted.rows[0]!;
    return { ids: ended.rows.map(({ id }) => id), files, bytes };
  }
}

function tenantValues({ tenant: { organizationId, environment } }: TenantTransaction): [string, string] {
  return [organizationId, environment];
}
