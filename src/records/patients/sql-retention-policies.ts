import { Injectable } from '@nestjs/common';
import {
  RetentionPolicies,
  type BegunRun,
  type OverdueAge,
  type OverdueKind,
  type OverdueRecord,
  type Removed,
  type RetentionChange,
  type RetentionPolicy,
  type RetentionRun,
} from '../../core/erasure/retention-policy.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import type { Tenant } from '../../core/tenancy/tenant.js';
import { failpoint } from '../../platform/failpoints.js';
import { SystemStatements } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';
import { IS_UNNAMED } from './patient-record-statements.js';

const SELECT = `select organization_id as "organizationId", photo_days as "photoDays", message_days as "messageDays", version_days as "versionDays", record_days as "recordDays",
  unnamed_days as "unnamedDays", audit_days as "auditDays", idempotency_hours as "idempotencyHours" from retention_policies`;
const COLUMNS: Readonly<Record<keyof RetentionChange, string>> = {
  photoDays: 'photo_days',
  messageDays: 'message_days',
  versionDays: 'version_days',
  recordDays: 'record_days',
  auditDays: 'audit_days',
  unnamedDays: 'unnamed_days',
  idempotencyHours: 'idempotency_hours',
};
/** $1 and $2: the tenant, $3: before, $4: after, $5: limit, $6: before, by the clock of the environment, which issues reports. */
const HELD = (
  patient: string,
): string => `exists (select from legal_holds hold join patients held on held.id = hold.patient_id
    where coalesce(held.merged_into, held.id) = ${patient})`;
/** While any patient of the tenant is on hold, nothing without a known patient is removed. */
const ANY_HELD = (row: string): string =>
  `exists (select from legal_holds hold where hold.organization_id = ${row}.organization_id and hold.environment = ${row}.environment)`;
const PHOTOS = `select image.id, image.organization_id as "organizationId", image.environment, coalesce(image.size_bytes, 0)::float8 as bytes from images image
  where image.organization_id = $1 and image.environment = $2 and image.status = 'stored' and image.stored_at < $3 and ($4::uuid is null or image.id > $4) and not ${HELD('image.patient_id')}
    and not exists (select from analysis_jobs job where job.image_id = image.id and ${HELD('job.patient_id')})
    and (not ${ANY_HELD('image')} or image.patient_id is not null or exists (select from analysis_jobs job where job.image_id = image.id and job.patient_id is not null))
  order by image.id limit $5`;
const RECORDS = `select patient.id, patient.organization_id as "organizationId", patient.environment, 0::float8 as bytes from patients patient
  where patient.organization_id = $1 and patient.environment = $2 and patient.merged_into is null and patient.created_at < $3 and ($4::uuid is null or patient.id > $4) and not ${HELD('patient.id')}
    and not exists (select from images where patient_id = patient.id and created_at >= $3)
    and not exists (select from analysis_jobs where patient_id = patient.id and greatest(created_at, completed_at) >= $3)
    and not exists (select from wounds wound join reports report on report.wound_id = wound.id join report_versions made on made.report_id = report.id
      where wound.patient_id = patient.id and made.issued_at >= $6)
    and not exists (select from fhir_resources kept where kept.organization_id = patient.organization_id and kept.environment = patient.environment collate "C"
      and kept.type = 'Patient' and kept.id = patient.id::text collate "C" and kept.last_updated >= $3)
  order by patient.id limit $5`;
/** A visit of a wound without a patient stays as long as any visit of the wound is younger. */
const UNNAMED = `select job.id, job.organization_id as "organizationId", job.environment, 0::float8 as bytes from analysis_jobs job
  where job.organization_id = $1 and job.environment = $2 and job.completed_at < $3 and ($4::uuid is null or job.id > $4) and ${IS_UNNAMED} and not ${ANY_HELD('job')}
    and not exists (select from reports report join reports visit on visit.wound_id = report.wound_id join report_versions made on made.report_id = visit.id
      where report.job_id = job.id and made.issued_at >= $6)
  order by job.id limit $5`;
const OVERDUE: Readonly<Record<OverdueKind, string>> = { photos: PHOTOS, records: RECORDS, unnamed: UNNAMED };
/** A run that was taken for interrupted and goes on is open again. */
const ADD_TO_RUN = `insert into retention_runs as run (id, organization_id, environment, what, before, began_at, rows, bytes, kept, ended_at, is_open)
  values ($1, $2, $3, $4, $5, $6, $7, $8, 0, sutura_now(), true)
  on conflict (id) do update set rows = run.rows + excluded.rows, bytes = run.bytes + excluded.bytes, ended_at = excluded.ended_at, is_open = true`;
const REMOVED = 'returning rows::float8 as rows, bytes::float8 as bytes';
const END_RUN = `update retention_runs set is_open = false, kept = $2, ended_at = sutura_now() where id = $1 and is_open ${REMOVED}`;
const IS_IDLE = (seconds: string): string => `is_open and ended_at < sutura_now() - make_interval(secs => ${seconds})`;
const END_INTERRUPTED = `update retention_runs set is_open = false where id = $1 and ${IS_IDLE('$2')} ${REMOVED}`;
const SELECT_RUNS = `select id, organization_id as "organizationId", environment, what, before, rows::float8 as rows, bytes::float8 as bytes,
    kept::float8 as kept, began_at as "beganAt", ended_at as "endedAt", is_open as "isOpen" from retention_runs`;
const RUNS = `${SELECT_RUNS} where organization_id = $1 order by began_at desc, id desc limit $2`;
const INTERRUPTED = `${SELECT_RUNS} where ${IS_IDLE('$1')}`;

@Injectable()
export class SqlRetentionPolicies extends RetentionPolicies {
  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async find(organizationId: string): Promise<RetentionPolicy> {
    const { rows } = await this.statements.run<RetentionPolicy>(`${SELECT} where organization_id = $1`, [
      organizationId,
    ]);
    const none = {
      photoDays: null,
      messageDays: null,
      versionDays: null,
      recordDays: null,
      unnamedDays: null,
      auditDays: null,
    };
    return rows[0] ?? { organizationId, ...none, idempotencyHours: null };
  }

  async change(organizationId: string, change: RetentionChange): Promise<void> {
    const names = (Object.keys(COLUMNS) as (keyof RetentionChange)[]).filter((name) => change[name] !== undefined);
    await this.statements.run('insert into retention_policies (organization_id) values ($1) on conflict do nothing', [
      organizationId,
    ]);
    if (names.length === 0) return;
    const sets = names.map((name, at) => `${COLUMNS[name]} = $${at + 2}`).join(', ');
    await this.statements.run(`update retention_policies set ${sets} where organization_id = $1`, [
      organizationId,
      ...names.map((name) => change[name]),
    ]);
  }

  async list(): Promise<RetentionPolicy[]> {
    return (await this.statements.run<RetentionPolicy>(`${SELECT} order by organization_id`)).rows;
  }

  async overdue(
    kind: OverdueKind,
    { organizationId, environment }: Tenant,
    { before, issuedBefore }: OverdueAge,
    { after, limit }: { readonly after: string | null; readonly limit: number },
  ): Promise<OverdueRecord[]> {
    const values = [organizationId, environment, before, after, limit, ...(kind === 'photos' ? [] : [issuedBefore])];
    return (await this.statements.run<OverdueRecord>(OVERDUE[kind], values)).rows;
  }

  async addToRun(transaction: TenantTransaction, run: BegunRun, { rows, bytes }: Removed): Promise<void> {
    const { organizationId, environment } = transaction.tenant;
    const { id, what, before, beganAt } = run;
    const values = [id, organizationId, environment, what, before, beganAt, rows, bytes];
    await statementsOf(transaction).run(ADD_TO_RUN, values);
    await failpoint('sweep_counted');
  }

  async endRun(transaction: TenantTransaction, runId: string, kept: number): Promise<Removed | null> {
    return (await statementsOf(transaction).run<Removed>(END_RUN, [runId, kept])).rows[0] ?? null;
  }

  async endInterrupted(transaction: TenantTransaction, runId: string, idleS: number): Promise<Removed | null> {
    return (await statementsOf(transaction).run<Removed>(END_INTERRUPTED, [runId, idleS])).rows[0] ?? null;
  }

  async interrupted(idleS: number): Promise<RetentionRun[]> {
    return (await this.statements.run<RetentionRun>(INTERRUPTED, [idleS])).rows;
  }

  async runs(organizationId: string, limit: number): Promise<RetentionRun[]> {
    return (await this.statements.run<RetentionRun>(RUNS, [organizationId, limit])).rows;
  }
}
