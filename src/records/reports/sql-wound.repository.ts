import type { LookUpCursor, LookUpPage } from '../../core/analysis/look-up-page.js';
import { Injectable } from '@nestjs/common';
import type { Wound, WoundEvent, WoundKey } from '../../core/followup/wound.js';
import type { PatientIdentifier } from '../../core/patients/patient.js';
import {
  WoundRepository,
  type WoundChange,
  type PlacedWound,
  type WoundFilter,
} from '../../core/followup/wound.repository.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { isCanonicalUuid, toJsonb } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';
import { lookUpPageOf, orderPairs, type LookedRow } from '../analysis/job-pairs-reading.js';
import { NOBODY, SELECT_WOUNDS, woundListQuery } from './wound-row.js';

const INSERT = `insert into wounds (id, organization_id, environment, patient_id, patient_system, patient_value, wound_id_system, wound_id,
    body_site, laterality, wound_type, status, closed_at, merged_into, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`;
const FIND = `${SELECT_WOUNDS} where organization_id = $1 and environment = $2 and id = $3`;
const FIND_BY_KEY = `${SELECT_WOUNDS} where organization_id = $1 and environment = $2
  and coalesce(patient_id, '${NOBODY}') = coalesce($3::uuid, '${NOBODY}') and wound_id_system = $4 and wound_id = $5`;
/** A wound that is itself a root, locked. */
const LOCK_STANDING = `${FIND} and merged_into is null for update`;
const ROOT = `with recursive chain as (
    select id, merged_into from wounds where organization_id = $1 and environment = $2 and id = $3
    union all select parent.id, parent.merged_into from wounds parent join chain on parent.id = chain.merged_into)
  ${SELECT_WOUNDS} where id in (select id from chain where merged_into is null)`;
const CANDIDATES = `${SELECT_WOUNDS} where organization_id = $1 and environment = $2 and patient_id = $3 and id <> $4 and merged_into is null
    and (body_site is null or $5::text is null or coalesce(body_site ->> 'code', body_site ->> 'display') = $5)
    and (laterality is null or $6::text is null or laterality = $6)
  order by created_at desc, id desc limit 20`;
const UPDATE = `update wounds set body_site = coalesce($2, body_site), laterality = coalesce($3, laterality), wound_type = coalesce($4, wound_type)`;
const RECORD = `insert into wound_events (id, organization_id, environment, wound_id, decision, other_wound_id, reviewer, note, decided_at, entered_by, reason)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;
const OF_PATIENT = `${SELECT_WOUNDS} where organization_id = $1 and environment = $2 and patient_id = $3 order by created_at, id`;
const ASSIGN = `update wounds set patient_id = $2, patient_system = $3, patient_value = $4, wound_id = case when $5 then wound_id end,
    unnumbered_since = case when not $5 and wound_id is not null then date_trunc('milliseconds', sutura_now()) else unnumbered_since end,
    asks_which = asks_which or (not $5 and wound_id is not null) where id = $1`;
const HISTORY = `select id, wound_id as "woundId", decision, other_wound_id as "otherWoundId", reviewer, note, reason, decided_at as "decidedAt", entered_by as "enteredBy"
  from wound_events where wound_id = $1 order by decided_at, id`;

@Injectable()
export class SqlWoundRepository extends WoundRepository {
  async insert(transaction: TenantTransaction, wound: Wound): Promise<void> {
    await statementsOf(transaction).runPrepared(INSERT, rowOf(wound));
  }

  async resolve(transaction: TenantTransaction, key: WoundKey, fresh: Wound): Promise<Wound> {
    const known = await this.findByKey(transaction, key);
    if (known !== null) return known;
    // A transaction that makes the same wound is waited for; its wound is then found.
    const { affected } = await statementsOf(transaction).runPrepared(`${INSERT} on conflict do nothing`, rowOf(fresh));
    if (affected === 1) return fresh;
    const madeMeanwhile = await this.findByKey(transaction, key);
    if (madeMeanwhile === null) throw new Error('A wound is neither there nor could it be made.');
    return madeMeanwhile;
  }

  async find(transaction: TenantTransaction, woundId: string): Promise<Wound | null> {
    const { tenant } = transaction;
    if (!isCanonicalUuid(woundId)) return null;
    const values = [tenant.organizationId, tenant.environment, woundId];
    return (await statementsOf(transaction).runPrepared<Wound>(FIND, values)).rows[0] ?? null;
  }

  findByKey(transaction: TenantTransaction, key: WoundKey): Promise<Wound | null> {
    return this.selectByKey(transaction, FIND_BY_KEY, key);
  }

  lockByKey(transaction: TenantTransaction, key: WoundKey): Promise<Wound | null> {
    return this.selectByKey(transaction, `${FIND_BY_KEY} and merged_into is null for update`, key);
  }

  async lockRoot(transaction: TenantTransaction, woundId: string): Promise<Wound> {
    const { organizationId, environment } = transaction.tenant;
    let id = woundId;
    for (;;) {
      // Mostly the wound is its own root. One that was merged, perhaps during the wait for its row, is not locked.
      const { rows } = await statementsOf(transaction).runPrepared<Wound>(LOCK_STANDING, [
        organizationId,
        environment,
        id,
      ]);
      if (rows[0] !== undefined) return rows[0];
      ({ id } = await this.rootOf(transaction, id));
    }
  }

  async rootOf(transaction: TenantTransaction, woundId: string): Promise<Wound> {
    const { tenant } = transaction;
    const { rows } = await statementsOf(transaction).run<Wound>(ROOT, [
      tenant.organizationId,
      tenant.environment,
      woundId,
    ]);
    if (rows[0] === undefined) throw new Error('A wound has no root.');
    return rows[0];
  }

  async list(
    transaction: TenantTransaction,
    filter: WoundFilter,
    limit: number,
    after: LookUpCursor | null,
  ): Promise<LookUpPage<PlacedWound>> {
    if (after !== null && !isCanonicalUuid(after.id)) return { items: [], lookedTo: null };
    const pairs = await orderPairs(transaction, filter.metadata ?? {});
    const { sql, values, isWalk } = woundListQuery(transaction.tenant, filter, limit, after, pairs);
    const statements = statementsOf(transaction);
    if (isWalk) return lookUpPageOf((await statements.run<LookedRow<PlacedWound>>(sql, values)).rows);
    const { rows } = await statements.run<Wound>(sql, values);
    return { items: rows.map((wound) => ({ ...wound, listedAt: wound.createdAt })), lookedTo: null };
  }

  async candidates(transaction: TenantTransaction, wound: Wound): Promise<Wound[]> {
    if (wound.patientId === null) return [];
    const site = wound.bodySite?.code ?? wound.bodySite?.display ?? null;
    const values = [wound.organizationId, wound.environment, wound.patientId, wound.id, site, wound.laterality];
    return (await statementsOf(transaction).run<Wound>(CANDIDATES, values)).rows;
  }

  async name(
    transaction: TenantTransaction,
    woundId: string,
    name: Pick<WoundKey, 'woundIdSystem' | 'woundId'>,
  ): Promise<void> {
    const update = 'update wounds set wound_id_system = $2, wound_id = $3 where id = $1 and wound_id is null';
    await statementsOf(transaction).run(update, [woundId, name.woundIdSystem, name.woundId]);
  }

  async update(transaction: TenantTransaction, woundId: string, change: WoundChange): Promise<void> {
    const values: unknown[] = [woundId, toJsonb(change.bodySite), change.laterality ?? null, toJsonb(change.woundType)];
    const more = [
      ...(change.status === undefined
        ? []
        : [`status = $${values.push(change.status)}, closed_at = $${values.push(change.closedAt ?? null)}`]),
      ...(change.mergedInto === undefined ? [] : [`merged_into = $${values.push(change.mergedInto)}`]),
    ];
    await statementsOf(transaction).run(`${[UPDATE, ...more].join(', ')} where id = $1`, values);
  }

  async ofPatient(transaction: TenantTransaction, patientId: string): Promise<Wound[]> {
    const { tenant } = transaction;
    const { rows } = await statementsOf(transaction).run<Wound>(OF_PATIENT, [
      tenant.organizationId,
      tenant.environment,
      patientId,
    ]);
    return rows;
  }

  async assign(
    transaction: TenantTransaction,
    woundId: string,
    {
      patientId,
      patient,
      named,
    }: { readonly patientId: string; readonly patient: PatientIdentifier; readonly named: boolean },
  ): Promise<void> {
    await statementsOf(transaction).run(ASSIGN, [woundId, patientId, patient.system, patient.value, named]);
  }

  async record(transaction: TenantTransaction, event: WoundEvent): Promise<void> {
    const { tenant } = transaction;
    const values = [
      event.id,
      tenant.organizationId,
      tenant.environment,
      event.woundId,
      event.decision,
      event.otherWoundId,
    ];
    await statementsOf(transaction).run(RECORD, [
      ...values,
      toJsonb(event.reviewer),
      event.note,
      event.decidedAt,
      event.enteredBy,
      event.reason,
    ]);
  }

  async history(transaction: TenantTransaction, woundId: string): Promise<WoundEvent[]> {
    return (await statementsOf(transaction).run<WoundEvent>(HISTORY, [woundId])).rows;
  }

  private async selectByKey(
    transaction: TenantTransaction,
    sql: string,
    { patientId, woundIdSystem, woundId }: WoundKey,
  ): Promise<Wound | null> {
    const { organizationId, environment } = transaction.tenant;
    const values = [organizationId, environment, patientId, woundIdSystem, woundId];
    return (await statementsOf(transaction).runPrepared<Wound>(sql, values)).rows[0] ?? null;
  }
}

function rowOf(wound: Wound): unknown[] {
  return [
    wound.id,
    wound.organizationId,
    wound.environment,
    wound.patientId,
    wound.patient?.system ?? null,
    wound.patient?.value ?? null,
    wound.woundIdSystem,
    wound.woundId,
    toJsonb(wound.bodySite),
    wound.laterality,
    toJsonb(wound.woundType),
    wound.status,
    wound.closedAt,
    wound.mergedInto,
    wound.createdAt,
  ];
}
