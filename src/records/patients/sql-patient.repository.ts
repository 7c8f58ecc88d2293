import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { formKey, spelledSystem } from '../../core/patients/authority-forms.js';
import { PatientRepository } from '../../core/patients/patient.repository.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import type { Patient, PatientIdentifier } from '../../core/patients/patient.js';
import { tenantOf, type Tenant } from '../../core/tenancy/tenant.js';
import { isCanonicalUuid, type Statements } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

/** The system by which a number is kept: of its authority, where one has this form. */
const KEPT_BY = (system: string, form: string): string =>
  `coalesce((select known.system from authority_forms known where known.organization_id = $1 and known.environment = $2 and known.form = ${form}), ${system})`;
const FIND = `select patient_id as id from patient_identifiers
  where organization_id = $1 and environment = $2 and system = ${KEPT_BY('$3', '$5')} and value = $4`;
/** Numbers that are given as three arrays: systems, values, and the keys of the systems as forms. */
const GIVEN = (first: number): string =>
  `(select ${KEPT_BY('stated.system', 'stated.form')} as system, stated.value, stated.system as said, stated.place
    from unnest($${first}::text[], $${first + 1}::text[], $${first + 2}::text[]) with ordinality stated (system, value, form, place)) given`;
const FIND_ANY = `select given.said as system, given.value, known.patient_id as id from ${GIVEN(3)}
  join patient_identifiers known on known.organization_id = $1 and known.environment = $2 and known.system = given.system and known.value = given.value`;
const READ = `select patient.id, patient.merged_into, identifier.system, identifier.value from patients patient
    left join patient_identifiers identifier on identifier.patient_id = patient.id
  where patient.id = $3 and patient.organization_id = $1 and patient.environment = $2 order by identifier.place, identifier.system, identifier.value`;
const INSERT = `with patient as (insert into patients (id, organization_id, environment) values ($3, $1, $2) returning id)
  insert into patient_identifiers (organization_id, environment, system, value, patient_id, place)
    select $1::uuid, $2, given.system, given.value, patient.id, min(given.place) from patient, ${GIVEN(4)}
      group by given.system, given.value, patient.id`;
/** Positions behind the identifiers that the patient has. */
const ADD = `insert into patient_identifiers (organization_id, environment, system, value, patient_id, place)
  select $1::uuid, $2, given.system, given.value, $3::uuid, coalesce((select max(place) from patient_identifiers where patient_id = $3), 0) + min(given.place)
    from ${GIVEN(4)} group by given.system, given.value
  on conflict do nothing`;
const GIVE_UP = `delete from patient_identifiers where organization_id = $1 and environment = $2 and patient_id = $3
  and (system, value) in (select given.system, given.value from ${GIVEN(4)})`;
/** The given identifiers in their order, then all others in theirs. */
const ARRANGE = `update patient_identifiers one set place = arranged.place from (
    select held.system, held.value, row_number() over (order by given.place nulls last, held.place, held.system, held.value) as place
      from patient_identifiers held left join (select system, value, min(place) as place from ${GIVEN(4)} group by 1, 2) given using (system, value)
      where held.organization_id = $1 and held.environment = $2 and held.patient_id = $3) arranged
  where one.organization_id = $1 and one.environment = $2 and one.patient_id = $3 and one.system = arranged.system and one.value = arranged.value and one.place <> arranged.place`;
/** Wounds filed under a number that the patient no longer has. */
const REFILE = `update wounds set patient_system = $4, patient_value = $5 where organization_id = $1 and environment = $2 and patient_id = $3
  and (patient_system, patient_value) in (select given.system, given.value from ${GIVEN(6)} union select given.said, given.value from ${GIVEN(6)})`;

/**
 * Locks both rows. A transaction that files something under one of them is waited for, or waits and then finds the
 * survivor (sutura_standing_patient).
 */
const LOCK_ROWS =
  'select from patients where organization_id = $1 and environment = $2 and id in ($3, $4) order by id for update';
const MOVED_TABLES = ['images', 'analysis_jobs'];
const MOVE_IDENTIFIERS = `update patient_identifiers set patient_id = $4, place = place + (select coalesce(max(place), 0) from patient_identifiers where patient_id = $4)
  where organization_id = $1 and environment = $2 and patient_id = $3`;
const END =
  'update patients set merged_into = $4 where organization_id = $1 and environment = $2 and (id = $3 or merged_into = $3)';

interface IdentifierRow {
  readonly id: string;
  readonly system: string | null;
  readonly value: string | null;
}

@Injectable()
export class SqlPatientRepository extends PatientRepository {
  async resolve(transaction: TenantTransaction, identifier: PatientIdentifier, newId: string): Promise<string> {
    const { tenant } = transaction;
    const statements = statementsOf(transaction);
    const { system, value } = identifier;
    const row = [tenant.organizationId, tenant.environment, spelledSystem(system), value, formKey(system)];
    const known = (await statements.runPrepared<{ id: string }>(FIND, row)).rows[0];
    if (known !== undefined) return known.id;
    // One identifier belongs to one row at most.
    return (await this.register(transaction, [identifier], newId))!;
  }

  async register(
    transaction: TenantTransaction,
    identifiers: readonly PatientIdentifier[],
    newId: string,
  ): Promise<string | null> {
    const { tenant } = transaction;
    const statements = statementsOf(transaction);
    await this.lock(statements, tenant, identifiers);
    const owners = ownersOf(await this.findAny(statements, tenant, identifiers));
    if (owners.length > 1) return null;
    if (owners[0] === undefined) await this.insert(transaction, identifiers, newId);
    else await this.addMissing(statements, tenant, owners[0], identifiers);
    return owners[0] ?? newId;
  }

  async insert(
    transaction: TenantTransaction,
    identifiers: readonly PatientIdentifier[],
    newId: string,
  ): Promise<void> {
    const { tenant } = transaction;
    const values = [tenant.organizationId, tenant.environment, newId, ...columnsOf(identifiers)];
    await statementsOf(transaction).runPrepared(INSERT, values);
  }

  async find(transaction: TenantTransaction, patientId: string): Promise<Patient | null> {
    const { tenant } = transaction;
    if (!isCanonicalUuid(patientId)) return null;
    const { rows } = await statementsOf(transaction).runPrepared<
      IdentifierRow & { readonly merged_into: string | null }
    >(READ, [tenant.organizationId, tenant.environment, patientId]);
    if (rows[0] === undefined) return null;
    const identifiers = rows.flatMap(({ system, value }) =>
      system === null || value === null ? [] : [{ system, value }],
    );
    return { ...tenantOf(tenant), id: patientId, identifiers, mergedInto: rows[0].merged_into };
  }

  async extend(
    transaction: TenantTransaction,
    patientId: string,
    identifiers: readonly PatientIdentifier[],
  ): Promise<boolean> {
    const { tenant } = transaction;
    const statements = statementsOf(transaction);
    await this.lock(statements, tenant, identifiers);
    const owners = ownersOf(await this.findAny(statements, tenant, identifiers));
    if (owners.some((owner) => owner !== patientId)) return false;
    await this.addMissing(statements, tenant, patientId, identifiers);
    return true;
  }

  async renumber(
    transaction: TenantTransaction,
    patientId: string,
    numbers: readonly PatientIdentifier[],
    gone: readonly PatientIdentifier[],
  ): Promise<boolean> {
    const { tenant } = transaction;
    if (!(await this.extend(transaction, patientId, numbers))) return false;
    const statements = statementsOf(transaction);
    const [first] = numbers;
    if (first === undefined) return true;
    const patient = [tenant.organizationId, tenant.environment, patientId];
    await statements.runPrepared(ARRANGE, [...patient, ...columnsOf(numbers)]);
    if (gone.length === 0) return true;
    await statements.runPrepared(GIVE_UP, [...patient, ...columnsOf(gone)]);
    await statements.runPrepared(REFILE, [...patient, spelledSystem(first.system), first.value, ...columnsOf(gone)]);
    return true;
  }

  async carriers(
    transaction: TenantTransaction,
    identifiers: readonly PatientIdentifier[],
  ): Promise<(string | null)[]> {
    const known = await this.findAny(statementsOf(transaction), transaction.tenant, identifiers);
    return identifiers.map(
      (one) =>
        known.find(({ system, value }) => system === spelledSystem(one.system) && value === one.value)?.id ?? null,
    );
  }

  async claim(transaction: TenantTransaction, identifiers: readonly PatientIdentifier[]): Promise<(string | null)[]> {
    await this.lock(statementsOf(transaction), transaction.tenant, identifiers);
    return this.carriers(transaction, identifiers);
  }

  async absorb(transaction: TenantTransaction, priorId: string, survivorId: string): Promise<void> {
    const { tenant } = transaction;
    const statements = statementsOf(transaction);
    const values = [tenant.organizationId, tenant.environment, priorId, survivorId];
    await statements.run(LOCK_ROWS, values);
    await statements.run(MOVE_IDENTIFIERS, values);
    for (const table of MOVED_TABLES)
      await statements.run(
        `update ${table} set patient_id = $4 where organization_id = $1 and environment = $2 and patient_id = $3`,
        values,
      );
    await statements.run(END, values);
  }

  async holdFilings(transaction: TenantTransaction, patientId: string): Promise<void> {
    const { organizationId, environment } = transaction.tenant;
    await statementsOf(transaction).run(LOCK_ROWS, [organizationId, environment, patientId, patientId]);
  }

  /**
   * Held until the commit. A caller with the same new identifier waits and then finds it. Always in one order, so
   * that no two wait for each other.
   */
  private async lock(statements: Statements, tenant: Tenant, identifiers: readonly PatientIdentifier[]): Promise<void> {
    // Whatever the forms of their authorities are.
    const numbers = identifiers.map(({ value }) => lockNumber([tenant.organizationId, tenant.environment, value]));
    for (const number of [...new Set(numbers)].sort())
      await statements.runPrepared('select pg_advisory_xact_lock($1::bigint)', [number]);
  }

  private async findAny(
    statements: Statements,
    tenant: Tenant,
    identifiers: readonly PatientIdentifier[],
  ): Promise<IdentifierRow[]> {
    const values = [tenant.organizationId, tenant.environment, ...columnsOf(identifiers)];
    return (await statements.runPrepared<IdentifierRow>(FIND_ANY, values)).rows;
  }

  private async addMissing(
    statements: Statements,
    tenant: Tenant,
    patientId: string,
    identifiers: readonly PatientIdentifier[],
  ): Promise<void> {
    if (identifiers.length > 0)
      await statements.runPrepared(ADD, [
        tenant.organizationId,
        tenant.environment,
        patientId,
        ...columnsOf(identifiers),
      ]);
  }
}

function ownersOf(rows: readonly IdentifierRow[]): string[] {
  return [...new Set(rows.map(({ id }) => id))];
}

function columnsOf(identifiers: readonly PatientIdentifier[]): [systems: string[], values: string[], forms: string[]] {
  const systems = identifiers.map(({ system }) => spelledSystem(system));
  return [systems, identifiers.map(({ value }) => value), systems.map(formKey)];
}

/** Of a value, in whatever numbering: tenant, value. */
export function lockNumber(row: readonly string[]): string {
  return createHash('sha256')
    .update(['patient', ...row].join('\0'))
    .digest()
    .readBigInt64BE(0)
    .toString();
}
