import { Injectable } from '@nestjs/common';
import { formKey } from '../../core/patients/authority-forms.js';
import type { Authority, AuthorityProposal, FacilityNumbering, ProposalReason } from '../../core/patients/authority.js';
import { AuthorityRepository, type SharedNumber } from '../../core/patients/authority.repository.js';
import type { SystemTransaction, TenantTransaction, Transaction } from '../../core/ports/unit-of-work.js';
import { AUTHORITIES_CHANNEL, NotificationListener } from '../../platform/database/notification-listener.js';
import { isCanonicalUuid } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

export const AUTHORITY_COLUMNS = `id, organization_id as "organizationId", environment, name, namespace, oid, uri, further, facilities, default_for as "isDefaultFor", system, origin, created_at as "createdAt"`;
const MINE = 'organization_id = $1 and environment = $2';
const LOCK = `select pg_advisory_xact_lock(hashtextextended('authorities ' || $1, 0))`;
const LIST = `select ${AUTHORITY_COLUMNS} from authorities where organization_id = $1 order by created_at, id`;
const OF_TENANT = `select ${AUTHORITY_COLUMNS} from authorities where organization_id = $1 and coalesce(environment, $2) = $2 order by created_at, id`;
const SAVE = `insert into authorities (id, organization_id, environment, name, namespace, oid, uri, further, facilities, default_for, system, origin, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  on conflict (id) do update set name = excluded.name, namespace = excluded.namespace, oid = excluded.oid, uri = excluded.uri, further = excluded.further,
    facilities = excluded.facilities, default_for = excluded.default_for`;
const REMOVE = 'delete from authorities where organization_id = $1 and id = $2';
const CLEAR_FORMS = `delete from authority_forms where ${MINE} and authority_id = $3 and form <> all ($4)`;
const SET_FORMS = `insert into authority_forms (organization_id, environment, form, system, authority_id)
  select $1::uuid, $2, form, $4, $3::uuid from unnest($5::text[]) form
  on conflict (organization_id, environment, form) do update set system = excluded.system, authority_id = excluded.authority_id`;
/** From one system to the next by the primary key: a tenant has few, and numbers by the million. */
const KEPT = `with recursive kept as (
    (select system from patient_identifiers where ${MINE} order by system limit 1)
    union all select (select next.system from patient_identifiers next where next.organization_id = $1 and next.environment = $2 and next.system > kept.system
      order by next.system limit 1) from kept where kept.system is not null)
  select system from kept where system is not null`;
const COUNT = `select count(*)::int as count from (select from patient_identifiers where ${MINE} and system = $3 limit $4) counted`;
const SHARED = `select "survivorId", "priorId" from (
    select distinct on (alias.patient_id) first.patient_id as "survivorId", alias.patient_id as "priorId"
      from patient_identifiers alias cross join lateral (
        select one.patient_id from patient_identifiers one where one.organization_id = $1 and one.environment = $2 and one.system = any ($4) and one.value = alias.value
          order by one.system <> $3, one.patient_id limit 1) first
      where alias.organization_id = $1 and alias.environment = $2 and alias.system = any ($4) and alias.patient_id <> first.patient_id
      order by alias.patient_id, first.patient_id) shared
  where not exists (select from unnest($5::uuid[], $6::uuid[]) apart (survivor, prior) where survivor = "survivorId" and prior = "priorId") limit $7`;
/** What the record has by the system, too. */
const DROP_DOUBLES = `delete from patient_identifiers alias where ${MINE} and system = any ($4) and exists (
    select from patient_identifiers other where other.organization_id = $1 and other.environment = $2 and other.value = alias.value and other.patient_id = alias.patient_id
      and (other.system = $3 or (other.system = any ($4) and other.system < alias.system)))`;
/** Those of two records by two other systems: the older one has it. */
const REKEY = `update patient_identifiers alias set system = $3 where ${MINE} and system = any ($4) and not exists (
    select from patient_identifiers other where other.organization_id = $1 and other.environment = $2 and other.value = alias.value
      and (other.system = $3 or (other.system = any ($4) and (other.patient_id, other.system) < (alias.patient_id, alias.system))))`;
const REKEY_AWAITED = `with gone as (delete from fhir_awaited_patients where ${MINE} and system = any ($4) returning type, id, value, since)
  insert into fhir_awaited_patients (organization_id, environment, type, id, system, value, since) select $1::uuid, $2, type, id, $3, value, min(since) from gone group by type, id, value
  on conflict do nothing`;
const REKEY_HELD = `with gone as (delete from held_awaited_numbers where ${MINE} and system = any ($4) returning item_id, value)
  insert into held_awaited_numbers (organization_id, environment, item_id, system, value) select distinct $1::uuid, $2, item_id, $3, value from gone on conflict do nothing`;
/** What waited for a number that is known by this. */
const TELL_KNOWN = `insert into outbox_events (id, kind, organization_id, environment, subject_id, created_at, next_try_at)
  select gen_random_uuid(), 'patient.known', $1::uuid, $2, patient_id, sutura_now(), sutura_now() from (
    select distinct known.patient_id from (select organization_id, environment, system, value from fhir_awaited_patients
      union select organization_id, environment, system, value from held_awaited_numbers) awaited join patient_identifiers known on known.organization_id = $1 and known.environment = $2
      and known.system = awaited.system and known.value = awaited.value where awaited.organization_id = $1 and awaited.environment = $2 and awaited.system = $3) come`;
const REFILE = `update wounds set patient_system = $3 where ${MINE} and patient_system = any ($4)`;
const PROPOSALS = `select id, organization_id as "organizationId", environment, one, other, why, since from authority_proposals
  where organization_id = $1 and settled_at is null order by since, id`;
const PROPOSE = `insert into authority_proposals (organization_id, environment, id, one, other, pair, why, since, settled_at, is_same) values ($1, $2, $3, $4, $5, $6, $7, sutura_now(),
  case when $8 then sutura_now() end, case when $8 then false end)
  on conflict do nothing`;
const SETTLE = `update authority_proposals set settled_at = sutura_now(), is_same = $4, settled_by = $5 where ${MINE} and id = $3 and settled_at is null`;
const NUMBERINGS = `select source_id as "sourceId", facility, state from facility_numberings where ${MINE} order by source_id, facility`;
const SET_NUMBERING = `insert into facility_numberings (organization_id, environment, source_id, facility, state, held_item) values ($1, $2, $3, $4, $5, $6)
  on conflict (organization_id, environment, source_id, facility) do update set state = excluded.state, held_item = excluded.held_item`;
const ASKED = `select facility from facility_numberings where ${MINE} and held_item = $3 limit 1`;

@Injectable()
export class SqlAuthorityRepository extends AuthorityRepository {
  constructor(private readonly notifications: NotificationListener) {
    super();
  }

  async lock(transaction: Transaction, organizationId: string): Promise<void> {
    await statementsOf(transaction).run(LOCK, [organizationId]);
  }

  async list(transaction: SystemTransaction, organizationId: string): Promise<readonly Authority[]> {
    if (!isCanonicalUuid(organizationId)) return [];
    return (await statementsOf(transaction).run<Authority>(LIST, [organizationId])).rows;
  }

  async of(transaction: TenantTransaction): Promise<readonly Authority[]> {
    return (await statementsOf(transaction).run<Authority>(OF_TENANT, placeOf(transaction))).rows;
  }

  async save(transaction: Transaction, authority: Authority): Promise<void> {
    const { id, organizationId, environment, name, namespace, oid, uri, system, origin, createdAt } = authority;
    const lists = [[...authority.further], [...authority.facilities], [...authority.isDefaultFor]];
    const values = [id, organizationId, environment, name, namespace, oid, uri, ...lists, system, origin, createdAt];
    await statementsOf(transaction).run(SAVE, values);
  }

  async remove(transaction: SystemTransaction, { organizationId, id }: Authority): Promise<void> {
    await statementsOf(transaction).run(REMOVE, [organizationId, id]);
  }

  async setForms(
    transaction: TenantTransaction,
    authorityId: string | null,
    system: string,
    forms: readonly string[],
  ): Promise<void> {
    const keys = forms.length === 0 ? [] : [...new Set([...forms, system].map(formKey))].filter((key) => key !== '');
    const statements = statementsOf(transaction);
    if (authorityId !== null) await statements.run(CLEAR_FORMS, [...placeOf(transaction), authorityId, keys]);
    if (keys.length > 0) await statements.run(SET_FORMS, [...placeOf(transaction), authorityId, system, keys]);
  }

  async keptSystems(transaction: TenantTransaction): Promise<readonly string[]> {
    const { rows } = await statementsOf(transaction).run<{ system: string }>(KEPT, placeOf(transaction));
    return rows.map(({ system }) => system);
  }

  async countNumbers(transaction: TenantTransaction, system: string, limit: number): Promise<number> {
    const values = [...placeOf(transaction), system, limit];
    return (await statementsOf(transaction).run<{ count: number }>(COUNT, values)).rows[0]!.count;
  }

  async sharedNumbers(
    transaction: TenantTransaction,
    system: string,
    others: readonly string[],
    apart: readonly SharedNumber[],
    limit: number,
  ): Promise<readonly SharedNumber[]> {
    if (others.length === 0) return [];
    const pairs = [apart.map(({ survivorId }) => survivorId), apart.map(({ priorId }) => priorId)];
    const values = [...placeOf(transaction), system, [system, ...others], ...pairs, limit];
    return (await statementsOf(transaction).run<SharedNumber>(SHARED, values)).rows;
  }

  async holdNumbers(transaction: TenantTransaction): Promise<void> {
    await statementsOf(transaction).run('lock table patient_identifiers in share row exclusive mode', []);
  }

  async rekey(transaction: TenantTransaction, system: string, others: readonly string[]): Promise<void> {
    const statements = statementsOf(transaction);
    const values = [...placeOf(transaction), system, [...others]];
    for (const sql of [DROP_DOUBLES, REKEY, REKEY_AWAITED, REKEY_HELD, REFILE]) await statements.run(sql, values);
    await statements.run(TELL_KNOWN, [...placeOf(transaction), system]);
  }

  async proposals(transaction: SystemTransaction, organizationId: string): Promise<readonly AuthorityProposal[]> {
    if (!isCanonicalUuid(organizationId)) return [];
    return (await statementsOf(transaction).run<AuthorityProposal>(PROPOSALS, [organizationId])).rows;
  }

  async propose(
    transaction: TenantTransaction,
    id: string,
    { one, other, why }: { readonly one: string; readonly other: string; readonly why: ProposalReason },
    isSettled = false,
  ): Promise<void> {
    const pair = JSON.stringify([formKey(one), formKey(other)].sort());
    await statementsOf(transaction).run(PROPOSE, [...placeOf(transaction), id, one, other, pair, why, isSettled]);
  }

  async settle(
    transaction: TenantTransaction,
    id: string,
    { isSame, by }: { readonly isSame: boolean; readonly by: string },
  ): Promise<boolean> {
    const values = [...placeOf(transaction), id, isSame, by];
    return (await statementsOf(transaction).run(SETTLE, values)).affected > 0;
  }

  async numberings(transaction: TenantTransaction): Promise<readonly FacilityNumbering[]> {
    return (await statementsOf(transaction).run<FacilityNumbering>(NUMBERINGS, placeOf(transaction))).rows;
  }

  async setNumbering(
    transaction: TenantTransaction,
    { sourceId, facility, state }: FacilityNumbering,
    heldItemId: string | null,
  ): Promise<void> {
    const values = [...placeOf(transaction), sourceId, facility, state, heldItemId];
    await statementsOf(transaction).run(SET_NUMBERING, values);
  }

  async askedBy(transaction: TenantTransaction, heldItemId: string): Promise<string | null> {
    const values = [...placeOf(transaction), heldItemId];
    return (await statementsOf(transaction).run<{ facility: string }>(ASKED, values)).rows[0]?.facility ?? null;
  }

  /** Other processes hear of it by notification, this one before what follows is done. */
  async tell(transaction: Transaction, organizationId: string): Promise<void> {
    await statementsOf(transaction).run('select pg_notify($1, $2)', [AUTHORITIES_CHANNEL, organizationId]);
    transaction.afterCommit(() => this.notifications.dispatch(AUTHORITIES_CHANNEL, organizationId));
  }
}

function placeOf({ tenant: { organizationId, environment } }: TenantTransaction): [string, string] {
  return [organizationId, environment];
}
