import type { Resource } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { formKey, spelledSystem } from '../../../core/patients/authority-forms.js';
import type { PatientIdentifier } from '../../../core/patients/patient.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { pacer } from '../../../platform/turns/turns.js';
import { contentColumns, contentOf, jsonBytes, patientsAmong, statusOf, writtenContentOf } from './packed-content.js';

/** One version of a resource, for the erasure. */
export interface KeptVersion {
  /** Of its resource. */
  readonly number: string;
  readonly version: number;
  readonly isPresent: boolean;
  readonly content: Resource;
  readonly bytes: number;
}

/** `Type/id`, and the number under which index rows have it. */
export interface KeptResource {
  readonly number: string;
  readonly type: string;
  readonly id: string;
}

const AT_ONCE = 500;
const MINE = 'organization_id = $1 and environment = $2 collate "C"';
/** Of what its client deleted: the version before, as long as it is kept. */
const LAST = 'resource.version - resource.is_deleted::int';
const VERSION = `held.resource as number, held.version, ${contentColumns('held')}, ${jsonBytes('held')} as bytes,
  held.version = ${LAST} as "isPresent", resource.type || '/' || resource.id || '/_history/' || held.version as address`;
/** Every version that names one of the words, in whatever element: packed ones say whom beside. Scans the whole tenant: no index covers free text. */
const NAMING = `select ${VERSION} from fhir_versions held join fhir_resources resource on resource.number = held.resource
  where held.organization_id = $1 and held.environment = $2 collate "C" and (held.patient_id = any($7::uuid[]) or held.content::text like any ($3)) and ($6::text is null or resource.type = $6 collate "C") and (held.resource, held.version) > ($4::bigint, $5::int)
  order by held.resource, held.version limit ${AT_ONCE}`;
const PRESENT = `select ${VERSION} from fhir_resources resource join fhir_versions held on held.resource = resource.number and held.version = ${LAST}
  where resource.number = any($1)`;
const NAMED = `select number, type, id from fhir_resources where ${MINE} and (type, id) in (select * from unnest($3::text[], $4::text[]))`;
const REFERRING = `select distinct reference.resource as number from fhir_references reference
  where reference.target in (select address from fhir_resources where number = any($1))`;
const OF_NUMBERS = 'select number, type, id from fhir_resources where number = any($1)';
const AWAITING = `select exists (select from fhir_awaited_patients where ${MINE} and (type, id) in (select * from unnest($3::text[], $4::text[]))) as "isAwaiting"`;
/** Each number by every form of its authority that the table joins. $3: as spelled, $4: as found there, $5: value. */
const SPELLINGS = `with given as (select coalesce(known.system, said.system) as system, said.value
      from unnest($3::text[], $4::text[], $5::text[]) said (system, form, value)
      left join authority_forms known on known.organization_id = $1 and known.environment = $2 and known.form = said.form)
  select system, value from given
  union select form.form, given.value from given join authority_forms form on form.organization_id = $1 and form.environment = $2 and form.system = given.system`;
/** Tables with what else is kept of a resource under its id. */
const KEPT_BESIDE = ['fhir_client_ids', 'fhir_awaited_patients'];
const INDEXES = [
  'fhir_identifiers',
  'fhir_terms',
  'fhir_references',
  'fhir_dates',
  'fhir_quantities',
  'fhir_strings',
  'fhir_past_versions',
];
const REWRITE = `update fhir_versions held set content = given.content, packed = decode(given.packed, 'base64'), status = given.status, patient_id = given.patient_id
  from json_to_recordset($1::json) as given (number bigint, version int, content json, packed text, status text, patient_id uuid)
  where held.resource = given.number and held.version = given.version`;
const REMOVE_VERSIONS = `with named as (select * from unnest($1::bigint[], $2::int[]) as one (resource, version)),
    past as (delete from fhir_past_versions held using named where held.resource = named.resource and held.version = named.version)
  delete from fhir_versions held using named where held.resource = named.resource and held.version = named.version`;

/** Stored resources as the erasure of a patient sees them: every version, and rows of the index. In a transaction of the service. */
@Injectable()
export class PatientResources {
  /** Versions whose text has one of the words, as JSON has it, and packed ones that name a patient of whom one of them is; of one type where it is given. */
  async *naming(
    transaction: TenantTransaction,
    words: readonly string[],
    type: string | null = null,
  ): AsyncGenerator<KeptVersion> {
    const { organizationId, environment } = transaction.tenant;
    const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
    const patients = patientsAmong(words);
    for (let [number, version] = ['0', 0]; ;) {
      const values = [organizationId, environment, patterns, number, version, type, patients];
      const { rows } = await statementsOf(transaction).run<KeptRow>(NAMING, values);
      const pace = pacer();
      for (const row of rows) {
        yield toKept(row);
        await pace();
      }
      if (rows.length < AT_ONCE) return;
      [number, version] = [rows.at(-1)!.number, rows.at(-1)!.version];
    }
  }

  /** Whether any of these waits for its patient. */
  async isAwaiting(
    transaction: TenantTransaction,
    targets: readonly { readonly type: string; readonly id: string }[],
  ): Promise<boolean> {
    const values = targetValues(transaction, targets);
    return (await statementsOf(transaction).run<{ isAwaiting: boolean }>(AWAITING, values)).rows[0]!.isAwaiting;
  }

  /** These numbers, in every spelling that the table of authorities says to be the same. */
  async spellings(
    transaction: TenantTransaction,
    numbers: readonly PatientIdentifier[],
  ): Promise<readonly PatientIdentifier[]> {
    if (numbers.length === 0) return [];
    const { organizationId, environment } = transaction.tenant;
    const { rows } = await statementsOf(transaction).run<PatientIdentifier>(SPELLINGS, [
      organizationId,
      environment,
      numbers.map(({ system }) => spelledSystem(system)),
      numbers.map(({ system }) => formKey(system)),
      numbers.map(({ value }) => value),
    ]);
    return [...numbers, ...rows];
  }

  async present(transaction: TenantTransaction, numbers: readonly string[]): Promise<KeptVersion[]> {
    return (await statementsOf(transaction).run<KeptRow>(PRESENT, [numbers])).rows.map(toKept);
  }

  /** Those of these that there are. */
  async named(
    transaction: TenantTransaction,
    targets: readonly { readonly type: string; readonly id: string }[],
  ): Promise<KeptResource[]> {
    return (await statementsOf(transaction).run<KeptResource>(NAMED, targetValues(transaction, targets))).rows;
  }

  /** Numbers of the resources whose present version refers to one of these. */
  async referring(transaction: TenantTransaction, targets: readonly KeptResource[]): Promise<string[]> {
    const numbers = targets.map(({ number }) => number);
    const { rows } = await statementsOf(transaction).run<{ number: string }>(REFERRING, [numbers]);
    return rows.map(({ number }) => number);
  }

  async ofNumbers(transaction: TenantTransaction, numbers: readonly string[]): Promise<KeptResource[]> {
    return (await statementsOf(transaction).run<KeptResource>(OF_NUMBERS, [numbers])).rows;
  }

  /** Resources with every version and every row of the index. How many versions, and their bytes. */
  async remove(
    transaction: TenantTransaction,
    resources: readonly KeptResource[],
  ): Promise<{ readonly rows: number; readonly bytes: number }> {
    const statements = statementsOf(transaction);
    const numbers = resources.map(({ number }) => number);
    for (const table of INDEXES) await statements.run(`delete from ${table} where resource = any($1)`, [numbers]);
    const { rows } = await statements.run<{ bytes: number }>(
      `delete from fhir_versions held where resource = any($1) returning ${jsonBytes('held')} as bytes`,
      [numbers],
    );
    await statements.run('delete from fhir_resources where number = any($1)', [numbers]);
    const { organizationId, environment } = transaction.tenant;
    const named = [organizationId, environment, resources.map(({ type }) => type), resources.map(({ id }) => id)];
    for (const table of KEPT_BESIDE)
      await statements.run(
        `delete from ${table} where ${MINE} and (type, id) in (select * from unnest($3::text[], $4::text[]))`,
        named,
      );
    return { rows: rows.length, bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  async removeVersions(transaction: TenantTransaction, versions: readonly KeptVersion[]): Promise<void> {
    const values = [versions.map(({ number }) => number), versions.map(({ version }) => version)];
    await statementsOf(transaction).run(REMOVE_VERSIONS, values);
  }

  async rewrite(transaction: TenantTransaction, versions: readonly KeptVersion[]): Promise<void> {
    const given: object[] = [];
    const pace = pacer();
    for (const { number, version, content } of versions) {
      const { packed, patientId } = await writtenContentOf(content);
      const kept = packed === null ? { content } : { packed, status: statusOf(content), patient_id: patientId };
      given.push({ number, version, ...kept });
      await pace();
    }
    await statementsOf(transaction).run(REWRITE, [JSON.stringify(given)]);
  }
}

type KeptRow = KeptVersion & { readonly packed: Buffer | null; readonly address: string };

function toKept({ packed, content, address, ...row }: KeptRow): KeptVersion {
  return { ...row, content: contentOf({ content, packed }, address) };
}

function targetValues(
  { tenant: { organizationId, environment } }: TenantTransaction,
  targets: readonly { readonly type: string; readonly id: string }[],
): unknown[] {
  return [organizationId, environment, targets.map(({ type }) => type), targets.map(({ id }) => id)];
}
