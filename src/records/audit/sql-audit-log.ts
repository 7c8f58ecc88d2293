import { Injectable } from '@nestjs/common';
import type { AuditRecord } from '../../core/audit/access.js';
import { SERVICE_TENANT } from '../../core/audit/operator-trail.js';
import { ROWS_REMOVED } from '../../core/audit/audit-witness.js';
import { AuditAnchor, type ChainHead } from '../../core/audit/audit-anchor.js';
import {
  AuditLog,
  type AuditBreak,
  type AuditFilter,
  type BlockFilter,
  type AuditVerdict,
} from '../../core/audit/audit-log.js';
import type { SealedBlock } from '../../core/audit/audit-export.js';
import { UnitOfWork } from '../../core/ports/unit-of-work.js';
import { Logger } from '../../platform/logging/logger.js';
import { isCanonicalUuid, SystemStatements } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';
import { carriersOf, familyOf } from './audit-patients.js';
import { AUDIT_COLUMNS } from './audit-row.js';
import { readBlocks } from './sql-audit-blocks.js';

/** The advisory lock of sealing, which one process does at a time; any number, but the same in every release. */
const SEAL_LOCK = 7_305_003;
/** Most rows in one statement, so that it stays short. */
const SEALED_AT_ONCE = 20_000;
const CHECKED_AT_ONCE = 200;

/**
 * No transaction that records an access lasts 15 minutes, so that no row older than this is still to come. It counts from the newest
 * seal: after a stop, or in a restored back-up, the last rows are still to seal.
 */
const SETTLED = `least((select max(sealed_at) from audit_seals), (select sutura_now())) - interval '15 minutes'`;
const FLOOR = `coalesce((select last_id from audit_seals where sealed_at <= ${SETTLED} order by last_id desc limit 1), 0)`;
const SEAL = `with edge as (select ${FLOOR} as floor),
  recent as (select unnest(event_ids) as id from audit_seals where sealed_at > ${SETTLED}),
  fresh as (
    select event, event.id, event.organization_id, event.environment from audit_events event
      where event.id > (select floor from edge) and not exists (select from recent where recent.id = event.id)
      order by event.id limit ${SEALED_AT_ONCE}),
  blocks as (
    select organization_id, environment, array_agg(id order by id) as ids, max(id) as last_id, string_agg(sutura_audit_digest(event), ''::bytea order by id) as digests
      from fresh group by organization_id, environment)
  insert into audit_seals (organization_id, environment, number, event_ids, last_id, sealed_at, hash)
    select organization_id, environment, coalesce(before.number, 0) + 1, ids, last_id, sutura_now(), sha256(coalesce(before.hash, ''::bytea) || digests)
      from blocks left join lateral (
        select number, hash from audit_seals seal
          where seal.organization_id = blocks.organization_id and seal.environment = blocks.environment order by number desc limit 1) before on true
    returning cardinality(event_ids) as rows`;

/** Seals that lie in a kept archive are checked there. */
const ARCHIVED = (of: string): string =>
  `coalesce((select max(archive.last) from audit_archives archive where archive.state <> 'writing'
    and archive.organization_id = ${of}.organization_id and archive.environment = ${of}.environment), 0)`;
const TENANTS = `select organization_id, environment, max(number)::int as last, ${ARCHIVED('seal')} + 1 as first
  from audit_seals seal group by organization_id, environment order by organization_id, environment`;
/** $3 to $4: the numbers of the seals. A missing seal appears as one without a hash. */
const CHECK = `select wanted.number, seal.hash is not null as there, coalesce(cardinality(seal.event_ids), 0) as rows,
    seal.hash = sha256(coalesce(before.hash, ''::bytea) || coalesce(found.digests, ''::bytea)) and found.count = cardinality(seal.event_ids) as fits
  from generate_series($3::int, $4::int) as wanted (number)
  left join audit_seals seal on seal.organization_id = $1 and seal.environment = $2 and seal.number = wanted.number
  left join audit_seals before on before.organization_id = $1 and before.environment = $2 and before.number = wanted.number - 1
  left join lateral (
    select count(*)::int as count, string_agg(sutura_audit_digest(event), ''::bytea order by event.id) as digests
      from audit_events event where event.id = any (seal.event_ids)) found on true
  order by wanted.number`;
const UNSEALED = `select distinct event.organization_id, event.environment from audit_events event
  where event.id <= ${FLOOR} and not exists (
    select from audit_seals seal where seal.organization_id = event.organization_id and seal.environment = event.environment
      and seal.last_id >= event.id and event.id = any (seal.event_ids))`;
/** What processes wrote down of rows that they missed. */
const REMOVED = `select distinct organization_id, environment from audit_events where interaction = '${ROWS_REMOVED}'`;
/** Rows whose words an erasure took out: its last row has a digest of what stands there now. One that is under way has no such row yet. */
const UNACCOUNTED = `with redacted as (
    select organization_id, environment, id, redacted_by as erasure, sutura_audit_content_digest(event) || sutura_audit_digest(event) as digests
      from audit_events event where redacted_by is not null or redacted_digest is not null
    union all select organization_id, environment, event_id, erasure_id, content_digest || sealed_digest
      from audit_archived_redactions archived where not exists (select from audit_events event where event.id = archived.event_id)),
  told as (
    select patient_id, query from audit_events where interaction = '$erase' and redacted_digest is null
    union all select patient_id, query from audit_archived_erasures)
  select (array_agg(organization_id))[1] as organization_id, (array_agg(environment))[1] as environment from redacted group by erasure
  having not exists (select from patient_erasures one where one.id = redacted.erasure and one.state <> 'done')
    and not exists (select from told join patient_erasures one on one.id = redacted.erasure and one.patient_id = told.patient_id
      where starts_with(told.query, 'erasure=' || redacted.erasure || '&state=done')
        and told.query like '%&redacted=' || encode(sha256(string_agg(digests, ''::bytea order by redacted.id)), 'hex'))`;

/** What is wrong with a chain without a seal that says so. */
const OF_CHAINS: readonly (readonly [AuditBreak['reason'], string])[] = [
  ['row_not_sealed', UNSEALED],
  ['row_removed_unsealed', REMOVED],
  ['redaction_not_accounted', UNACCOUNTED],
];

const HEADS = `select distinct on (organization_id, environment) organization_id as "organizationId", environment, number, encode(hash, 'hex') as hash
  from audit_seals order by organization_id, environment, number desc`;
/** An earlier head that is in an archive is compared there. */
const LEADS_TO = `select seal.number is not null or $3 < ${ARCHIVED('given')} as fits from (select $1::uuid as organization_id, $2::text as environment) given
  left join audit_seals seal on seal.organization_id = $1 and seal.environment = $2 and seal.number = $3 and seal.hash = decode($4, 'hex')`;

interface TenantRow {
  readonly organization_id: string;
  readonly environment: 'test' | 'live';
}

@Injectable()
export class SqlAuditLog extends AuditLog {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly statements: SystemStatements,
    private readonly anchor: AuditAnchor,
    private readonly logger: Logger,
  ) {
    super();
  }

  async list(filter: AuditFilter, limit: number, before: string | null): Promise<AuditRecord[]> {
    const { organizationId, patient } = filter;
    if (organizationId !== undefined && !isCanonicalUuid(organizationId)) return [];
    const values: unknown[] = [];
    const parameter = (value: unknown): string => `$${values.push(value)}`;
    const conditions = ['true'];
    if (organizationId !== undefined) conditions.push(`organization_id = ${parameter(organizationId)}`);
    if (filter.environment !== undefined) conditions.push(`environment = ${parameter(filter.environment)}`);
    if (patient !== undefined) {
      const given = parameter(patient);
      const numbered = `patient_id = any (${familyOf(carriersOf(`value = ${given}::text`))})`;
      conditions.push(
        isCanonicalUuid(patient)
          ? `(patient_id = any (${familyOf(`array[${given}::uuid]`)}) or ${numbered})`
          : numbered,
      );
    }
    if (filter.from !== undefined) conditions.push(`recorded_at >= ${parameter(filter.from)}`);
    if (filter.to !== undefined) conditions.push(`recorded_at < ${parameter(filter.to)}`);
    if (filter.agent !== undefined) {
      const agent = parameter(filter.agent);
      conditions.push(`(key_id in (${agent}, 'user:' || ${agent}) or person = ${agent})`);
    }
    if (filter.refused !== undefined) conditions.push(`refusal is ${filter.refused ? 'not null' : 'null'}`);
    if (before !== null) conditions.push(`id < ${parameter(before)}::bigint`);
    const sql = `select ${AUDIT_COLUMNS} from audit_events where ${conditions.join(' and ')} order by id desc limit ${parameter(limit)}`;
    return (await this.statements.run<AuditRecord>(sql, values)).rows;
  }

  blocks(filter: BlockFilter): AsyncIterable<SealedBlock> {
    return readBlocks(this.statements, filter);
  }

  async seal(): Promise<number> {
    let sealed = 0;
    for (;;) {
      const rows = await this.unitOfWork.inSystem(async (transaction) => {
        const statements = statementsOf(transaction);
        const { rows: lock } = await statements.run<{ held: boolean }>('select pg_try_advisory_xact_lock($1) as held', [
          SEAL_LOCK,
        ]);
        if (lock[0]?.held !== true) return 0;
        const blocks = await statements.run<{ rows: number }>(SEAL);
        return blocks.rows.reduce((sum, block) => sum + block.rows, 0);
      });
      sealed += rows;
      if (rows < SEALED_AT_ONCE) break;
    }
    if (sealed > 0) await this.keepHeads();
    return sealed;
  }

  async verify(): Promise<AuditVerdict> {
    const breaks: AuditBreak[] = [];
    let [rows, seals] = [0, 0];
    const tenants = await this.statements.run<TenantRow & { readonly first: number; readonly last: number }>(TENANTS);
    for (const { organization_id: organizationId, environment, first: begin, last } of tenants.rows) {
      for (let first = begin; first <= last; first += CHECKED_AT_ONCE) {
        const range = [organizationId, environment, first, Math.min(last, first + CHECKED_AT_ONCE - 1)];
        const checked = await this.statements.run<{
          number: number;
          there: boolean;
          rows: number;
          fits: boolean | null;
        }>(CHECK, range);
        for (const seal of checked.rows) {
          rows += seal.rows;
          seals += seal.there ? 1 : 0;
          if (!seal.there)
            breaks.push({ organizationId, environment, seal: seal.number, reason: 'seal_changed_or_missing' });
          else if (seal.fits !== true)
            breaks.push({ organizationId, environment, seal: seal.number, reason: 'row_changed_or_missing' });
        }
      }
    }
    for (const [reason, sql] of OF_CHAINS)
      for (const row of (await this.statements.run<TenantRow>(sql)).rows)
        breaks.push({ organizationId: row.organization_id, environment: row.environment, seal: null, reason });
    return { rows, seals, breaks: [...breaks, ...(await this.cutEnds())] };
  }

  /**
   * A chain that no longer leads to its stored head keeps that head, so that a new end does not hide the loss of the
   * old one.
   */
  private async keepHeads(): Promise<void> {
    const kept = await this.anchor.read();
    if (kept === 'changed') return this.logger.error('audit.anchor_changed');
    const { rows } = await this.statements.run<ChainHead>(HEADS);
    const lost = new Map((await this.lost(kept)).map((head) => [nameOf(head), head]));
    const fresh = new Map([...kept, ...rows].map((head) => [nameOf(head), lost.get(nameOf(head)) ?? head]));
    const before = new Set(kept.map(({ hash }) => hash));
    for (const { number, ...head } of await this.anchor.write([...fresh.values()]))
      if (!before.has(head.hash)) this.logger.info('audit.sealed', { ...head, seal: number });
  }

  private async cutEnds(): Promise<AuditBreak[]> {
    const kept = await this.anchor.read();
    if (kept === 'changed') return [{ ...SERVICE_TENANT, seal: null, reason: 'anchor_changed' }];
    return (await this.lost(kept)).map(({ organizationId, environment, number }) => ({
      organizationId,
      environment,
      seal: number,
      reason: 'end_cut_off',
    }));
  }

  private async lost(kept: readonly ChainHead[]): Promise<ChainHead[]> {
    const lost: ChainHead[] = [];
    for (const head of kept) {
      const { rows } = await this.statements.run<{ fits: boolean }>(LEADS_TO, [
        head.organizationId,
        head.environment,
        head.number,
        head.hash,
      ]);
      if (rows[0]?.fits !== true) lost.push(head);
    }
    return lost;
  }
}

function nameOf({ organizationId, environment }: ChainHead): string {
  return `${organizationId} ${environment}`;
}
