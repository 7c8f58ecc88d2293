import { Injectable } from '@nestjs/common';
import {
  AuditArchiveRegistry,
  type ArchivedRedaction,
  type ArchiveFile,
  type ArchiveRequest,
  type AuditArchive,
} from '../../core/audit/audit-archive.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { UnitOfWork, type TenantTransaction } from '../../core/ports/unit-of-work.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { isCanonicalUuid, SystemStatements } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

/** Advisory lock between the start of an archive and an erasure that reads archives; the number must not change between releases. */
const ARCHIVE_LOCK = 7_305_004;
/** Seals that are looked at for one archive. */
const MOST_SEALS = 2000;
const RETRY_AFTER_S = 5;

const COLUMNS = `id, organization_id as "organizationId", environment, state, first, last, rows::float8 as rows, encode(hash, 'hex') as hash,
  oldest_at as "oldestAt", newest_at as "newestAt", object_key as "objectKey", encode(sha256, 'hex') as sha256, bytes::float8 as bytes`;
const SELECT = `select ${COLUMNS} from audit_archives`;
/** $1, $2: the tenant; $3: before; $4: most rows; $5: id; $6: object key; $7: seconds. Seals in their order, up to the first that is missing, too young or too much. */
const BEGIN = `with next as (select coalesce(max(last), 0) + 1 as number from audit_archives where organization_id = $1 and environment = $2),
  listed as (
    select seal.*, sum(cardinality(event_ids)) over (order by number) as total, row_number() over (order by number) + (select number from next) - 1 as wanted
      from audit_seals seal where organization_id = $1 and environment = $2 and number >= (select number from next) order by number limit ${MOST_SEALS}),
  judged as (
    select listed.*, case when (total <= $4 or number = (select number from next)) and number = wanted
        then not exists (select from audit_events event where event.id = any (listed.event_ids) and event.recorded_at >= $3) else false end as fits from listed),
  chosen as (select * from judged where number < coalesce((select min(number) from judged where not fits), 2147483647)),
  times as (select min(event.recorded_at) as oldest, max(event.recorded_at) as newest
    from audit_events event where event.id in (select unnest(event_ids) from chosen))
  insert into audit_archives (id, organization_id, environment, state, first, last, rows, hash, oldest_at, newest_at, object_key, lease_until)
    select $5, $1, $2, 'writing', min(number), max(number), sum(cardinality(event_ids)), (array_agg(hash order by number desc))[1],
        (select oldest from times), (select newest from times), $6, sutura_now() + make_interval(secs => $7)
      from chosen where not exists (select from legal_holds where organization_id = $1 and environment = $2) having count(*) > 0
    on conflict do nothing
  returning ${COLUMNS}`;
const KEEP = `update audit_archives set state = 'kept', sha256 = decode($2, 'hex'), bytes = $3, kept_at = sutura_now()
  where id = $1 and state = 'writing' and lease_until > sutura_now()`;
/** Of the seals of an archive only the last one stays in the database. */
const KEEP_SEALS = `update patient_erasures erasure set seal_number = listed.number, seal_hash = listed.hash
  from (select seal.number, seal.hash, event.id from audit_archives archive
    join audit_seals seal on seal.organization_id = archive.organization_id and seal.environment = archive.environment
      and seal.number between archive.first and archive.last
    cross join lateral unnest(seal.event_ids) as event (id) where archive.id = $1) listed
  where erasure.done_event_id = listed.id and erasure.state = 'done' and erasure.seal_number is null`;
const REPLACE = `update audit_archives set object_key = $2, sha256 = decode($3, 'hex'), bytes = $4 where id = $1`;
/** Rows that are still in the database account for themselves. */
const NOTE_REDACTIONS = `insert into audit_archived_redactions (event_id, organization_id, environment, erasure_id, content_digest, sealed_digest)
  select given.id, $1, $2, $3, decode(given.content, 'hex'), decode(given.sealed, 'hex')
  from json_to_recordset($4::json) as given (id bigint, content text, sealed text)
  on conflict (event_id) do update set erasure_id = excluded.erasure_id, content_digest = excluded.content_digest`;

@Injectable()
export class SqlAuditArchiveRegistry extends AuditArchiveRegistry {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly statements: SystemStatements,
  ) {
    super();
  }

  async list({ organizationId, environment }: Partial<Tenant>): Promise<AuditArchive[]> {
    if (organizationId !== undefined && !isCanonicalUuid(organizationId)) return [];
    const sql = `${SELECT} where state <> 'writing' and ($1::uuid is null or organization_id = $1) and ($2::text is null or environment = $2)
      order by organization_id, environment, first`;
    return (await this.statements.run<AuditArchive>(sql, [organizationId ?? null, environment ?? null])).rows;
  }

  begin({ organizationId, environment }: Tenant, request: ArchiveRequest): Promise<AuditArchive | null> {
    return this.unitOfWork.inSystem(async (transaction) => {
      const statements = statementsOf(transaction);
      const lock = await statements.run<{ held: boolean }>('select pg_try_advisory_xact_lock($1) as held', [
        ARCHIVE_LOCK,
      ]);
      if (lock.rows[0]?.held !== true) return null;
      const { before, mostRows, id, objectKey, leaseS } = request;
      const values = [organizationId, environment, before, mostRows, id, objectKey, leaseS];
      return (await statements.run<AuditArchive>(BEGIN, values)).rows[0] ?? null;
    });
  }

  async keep(transaction: TenantTransaction, id: string, { sha256, bytes }: ArchiveFile): Promise<boolean> {
    const statements = statementsOf(transaction);
    if ((await statements.run(KEEP, [id, sha256, bytes])).affected !== 1) return false;
    await statements.run(KEEP_SEALS, [id]);
    return true;
  }

  async dropRows(id: string, limit: number): Promise<number | null> {
    const sql = 'select sutura_drop_archived_audit_rows($1, $2) as rows';
    const { rows } = (await this.statements.run<{ rows: number }>(sql, [id, limit])).rows[0]!;
    return rows < 0 ? null : rows;
  }

  async abandoned(): Promise<AuditArchive[]> {
    const sql = `${SELECT} where state = 'writing' and lease_until <= sutura_now()`;
    return (await this.statements.run<AuditArchive>(sql)).rows;
  }

  async forget(id: string): Promise<void> {
    await this.statements.run(`delete from audit_archives where id = $1 and state = 'writing'`, [id]);
  }

  async hold(transaction: TenantTransaction): Promise<AuditArchive[]> {
    const statements = statementsOf(transaction);
    await statements.run('select pg_advisory_xact_lock_shared($1)', [ARCHIVE_LOCK]);
    const { organizationId, environment } = transaction.tenant;
    const sql = `${SELECT} where organization_id = $1 and environment = $2 and (state <> 'writing' or lease_until > sutura_now()) order by first for update`;
    const { rows } = await statements.run<AuditArchive>(sql, [organizationId, environment]);
    if (rows.some(({ state }) => state === 'writing'))
      throw new SuturaError('patient.in_use', { retryAfterS: RETRY_AFTER_S });
    return rows;
  }

  async replace(
    transaction: TenantTransaction,
    { id, organizationId, environment }: AuditArchive,
    { objectKey, sha256, bytes }: ArchiveFile,
    erasureId: string,
    redactions: readonly ArchivedRedaction[],
  ): Promise<void> {
    const statements = statementsOf(transaction);
    await statements.run(REPLACE, [id, objectKey, sha256, bytes]);
    const given = redactions.map(({ rowId, contentDigest, sealedDigest }) => ({
      id: rowId,
      content: contentDigest,
      sealed: sealedDigest,
    }));
    await statements.run(NOTE_REDACTIONS, [organizationId, environment, erasureId, JSON.stringify(given)]);
  }
}
