import { Injectable } from '@nestjs/common';
import {
  PatientErasureRepository,
  type ErasureBacklog,
  type ErasureSeal,
  type PatientErasureRecord,
  type RowsErased,
} from '../../core/erasure/patient-erasure.repository.js';
import type { ErrorCode } from '../../core/errors/catalogue.js';
import type { ErasedRows } from '../../core/erasure/patient-record.js';
import type { SystemTransaction, TenantTransaction } from '../../core/ports/unit-of-work.js';
import { failpoint } from '../../platform/failpoints.js';
import { isCanonicalUuid, SystemStatements, toJsonb } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const SELECT = `select id, organization_id as "organizationId", environment, patient_id as "patientId", state, asked_by as "askedBy", asked_through as "askedThrough", asked_at as "askedAt",
    record, folders, counts, left_messages as "leftMessages", rows_erased_at as "rowsErasedAt", completed_at as "completedAt",
    waits_for as "waitsFor", tried_at as "triedAt" from patient_erasures`;
const INSERT = `insert into patient_erasures (id, organization_id, environment, patient_id, state, asked_by, asked_through, asked_at, lease_until)
  values ($1, $2, $3, $4, 'asked', $5, $6, $7, sutura_now() + make_interval(secs => $8))`;
const ROWS_ERASED = `update patient_erasures set state = 'rows_erased', rows_erased_at = coalesce(rows_erased_at, sutura_now()), record = $2, folders = $3, counts = $4, left_messages = $5, waits_for = null,
    touched_tables = array(select unnest(touched_tables) union select relname::text from pg_stat_xact_user_tables
      where schemaname = current_schema() and n_tup_del + n_tup_upd > 0),
    lease_until = sutura_now() + make_interval(secs => $6) where id = $1`;
const SAMPLE = 'select sutura_sample_tables(touched_tables) from patient_erasures where id = $1';
const DONE = `update patient_erasures set state = 'done', completed_at = sutura_now(), folders = '{}', counts = $2, waits_for = null, done_event_id =
    (select max(event.id) from audit_events event where event.patient_id = patient_erasures.patient_id and event.interaction = '$erase' and starts_with(event.query, $3))
  where id = $1`;
const WAITS = `update patient_erasures set waits_for = $2, tried_at = sutura_now(), lease_until = sutura_now() + make_interval(secs => $3)
  where id = $1 and state <> 'done'`;
const BACKLOG = `select waits_for as "waitsFor", count(*)::int as erasures, greatest(0, extract(epoch from sutura_now() - min(asked_at)))::float8 as "oldestS"
  from patient_erasures where state <> 'done' group by waits_for`;
/** The seal of the last row of an erasure: as noted when it was archived, else by that row's id, which earlier releases did not note. */
const SEAL = `select ended.id as "auditId", coalesce(erasure.seal_number, seal.number) as number, encode(coalesce(erasure.seal_hash, seal.hash), 'hex') as hash
    from patient_erasures erasure
    cross join lateral (select coalesce(erasure.done_event_id, (select max(event.id) from audit_events event
      where event.patient_id = erasure.patient_id and event.interaction = '$erase' and starts_with(event.query, $2))) as id) ended
    left join audit_seals seal on erasure.seal_number is null and seal.organization_id = erasure.organization_id
      and seal.environment = erasure.environment and seal.last_id >= ended.id and ended.id = any (seal.event_ids)
  where erasure.id = $1 and (erasure.seal_number is not null or seal.number is not null)`;

/** How the last row of an erasure begins. */
const endOf = (id: string): string => `erasure=${id}&state=done`;

@Injectable()
export class SqlPatientErasureRepository extends PatientErasureRepository {
  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async insert(
    transaction: TenantTransaction,
    erasure: Pick<PatientErasureRecord, 'id' | 'patientId' | 'askedBy' | 'askedThrough' | 'askedAt'>,
    leaseS: number,
  ): Promise<void> {
    const { organizationId, environment } = transaction.tenant;
    const { id, patientId, askedBy, askedThrough, askedAt } = erasure;
    const values = [id, organizationId, environment, patientId, askedBy, askedThrough, askedAt, leaseS];
    await statementsOf(transaction).run(INSERT, values);
  }

  async unfinishedOf(transaction: TenantTransaction, patientId: string): Promise<PatientErasureRecord | null> {
    if (!isCanonicalUuid(patientId)) return null;
    const { organizationId, environment } = transaction.tenant;
    const sql = `${SELECT} where organization_id = $1 and environment = $2 and patient_id = $3 and state <> 'done'`;
    const values = [organizationId, environment, patientId];
    return (await statementsOf(transaction).run<PatientErasureRecord>(sql, values)).rows[0] ?? null;
  }

  async find(id: string): Promise<PatientErasureRecord | null> {
    if (!isCanonicalUuid(id)) return null;
    return (await this.statements.run<PatientErasureRecord>(`${SELECT} where id = $1`, [id])).rows[0] ?? null;
  }

  async take(transaction: SystemTransaction, id: string): Promise<PatientErasureRecord | null> {
    const sql = `${SELECT} where id = $1 for update skip locked`;
    return (await statementsOf(transaction).run<PatientErasureRecord>(sql, [id])).rows[0] ?? null;
  }

  async rowsErased(
    transaction: TenantTransaction,
    id: string,
    { record, folders, counts, leftMessages }: RowsErased,
    leaseS: number,
  ): Promise<void> {
    const values = [id, toJsonb(record), folders, toJsonb(counts), leftMessages, leaseS];
    await statementsOf(transaction).run(ROWS_ERASED, values);
    await failpoint('erase_rows_gone');
  }

  async forgetSamples(transaction: SystemTransaction, id: string): Promise<void> {
    const statements = statementsOf(transaction);
    // Large tables on slow disks take longer than a request may.
    await statements.run(`set local statement_timeout = '10min'`);
    await statements.run(SAMPLE, [id]);
  }

  async done(transaction: TenantTransaction, id: string, counts: readonly ErasedRows[]): Promise<void> {
    await failpoint('erase_bytes_gone');
    await statementsOf(transaction).run(DONE, [id, toJsonb(counts), endOf(id)]);
  }

  async waits(id: string, code: ErrorCode, retryS: number): Promise<void> {
    await this.statements.run(WAITS, [id, code, retryS]);
  }

  async backlog(): Promise<ErasureBacklog[]> {
    return (await this.statements.run<ErasureBacklog>(BACKLOG)).rows;
  }

  async unfinished(limit: number): Promise<string[]> {
    const sql = `select id from patient_erasures where state <> 'done' and lease_until < sutura_now() order by lease_until, id limit $1`;
    return (await this.statements.run<{ id: string }>(sql, [limit])).rows.map(({ id }) => id);
  }

  async sealOf(id: string): Promise<ErasureSeal | null> {
    return (await this.statements.run<ErasureSeal>(SEAL, [id, endOf(id)])).rows[0] ?? null;
  }

  async list(organizationId: string, limit: number): Promise<PatientErasureRecord[]> {
    if (!isCanonicalUuid(organizationId)) return [];
    const sql = `${SELECT} where organization_id = $1 order by asked_at desc, id desc limit $2`;
    return (await this.statements.run<PatientErasureRecord>(sql, [organizationId, limit])).rows;
  }
}
