import type { Resource, ResourceType } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { formKey, spelledSystem } from '../../../core/patients/authority-forms.js';
import type { SystemTransaction, TenantTransaction } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import type { ResourceTarget } from './resource-store.js';

/** A resource whose patient is not known here yet. */
export interface AwaitingResource {
  readonly type: ResourceType;
  readonly id: string;
  readonly since: Date;
}

/** The end of a page: oldest first by (since, type, id). */
export interface AwaitingCursor {
  readonly since: Date;
  readonly type: string;
  readonly id: string;
}

/** A number of a patient; `system` '' is the organization's own numbering. */
interface AwaitedNumber {
  readonly system: string;
  readonly value: string;
}

const OF_TENANT = `awaited.organization_id = $1 and awaited.environment = $2`;
/** `offset 0` keeps this a look-up of its own by the primary key, as in sql-resource.store.ts. */
const STANDS = `exists (select from fhir_resources r where r.organization_id = awaited.organization_id
  and r.environment = awaited.environment and r.type = awaited.type and r.id = awaited.id and not r.is_deleted offset 0)`;
const DROP = `delete from fhir_awaited_patients awaited where ${OF_TENANT} and type = $3 and id = $4`;
/** The moment of the first wait stays where the resource changes. In milliseconds, as pages are continued from it. */
const KEEP = `with given as (
    select coalesce(known.system, stated.system) as system, stated.value from unnest($5::text[], $6::text[], $7::text[]) stated (system, value, form)
      left join authority_forms known on known.organization_id = $1 and known.environment = $2 and known.form = stated.form),
  before as (select min(since) as since from fhir_awaited_patients awaited where ${OF_TENANT} and type = $3 and id = $4),
  gone as (delete from fhir_awaited_patients awaited where ${OF_TENANT} and type = $3 and id = $4
    and (system, value) not in (select system, value from given))
  insert into fhir_awaited_patients (organization_id, environment, type, id, system, value, since)
    select $1::uuid, $2, $3, $4, given.system, given.value, coalesce(before.since, date_trunc('milliseconds', sutura_now()))
      from before, given on conflict do nothing`;
/** A record that was joined into another before its arrival was told has handed its numbers on. */
const OF_PATIENT = `select distinct awaited.type, awaited.id from fhir_awaited_patients awaited
    join patient_identifiers known on known.organization_id = awaited.organization_id and known.environment = awaited.environment
      and known.system = awaited.system and known.value = awaited.value
  where ${OF_TENANT} and known.patient_id = (select coalesce(merged_into, id) from patients
    where organization_id = $1 and environment = $2 and id = $3) order by awaited.type, awaited.id`;
const COLUMNS = `awaited.type, awaited.id, min(awaited.since) as since`;
const PAGE = `select ${COLUMNS} from fhir_awaited_patients awaited where ${OF_TENANT} and ${STANDS}
  group by awaited.type, awaited.id
  having ($3::timestamptz is null or (min(awaited.since), awaited.type, awaited.id) > ($3, $4, $5))
    and ($6::int is null or min(awaited.since) <= (select sutura_now()) - make_interval(secs => $6))
  order by since, awaited.type, awaited.id limit $7`;
const COUNT = `select awaited.organization_id as "organizationId", awaited.environment,
    count(distinct (awaited.type, awaited.id))::int as items, min(awaited.since) as "oldestSince"
  from fhir_awaited_patients awaited where ${STANDS} group by 1, 2`;

/** Stands for the number of what states no number, so that it is on the list, too. */
const NO_NUMBER = { system: '', value: '' };

/** Resources that state their patient by what is not known here yet, by the numbers that they state. */
@Injectable()
export class AwaitedPatients {
  /** From here on the resource waits for a patient with one of these numbers; of no number: for a person to name one. */
  async keep(transaction: TenantTransaction, resource: Resource, numbers: readonly AwaitedNumber[]): Promise<void> {
    const awaited = numbers.length === 0 ? [NO_NUMBER] : numbers;
    const { organizationId, environment } = transaction.tenant;
    await statementsOf(transaction).runPrepared(KEEP, [
      organizationId,
      environment,
      resource.resourceType,
      resource.id,
      awaited.map(({ system }) => spelledSystem(system)),
      awaited.map(({ value }) => value),
      awaited.map(({ system }) => formKey(system)),
    ]);
  }

  /** It waits no longer. */
  async drop(transaction: TenantTransaction, { type, id }: ResourceTarget): Promise<void> {
    const { organizationId, environment } = transaction.tenant;
    await statementsOf(transaction).runPrepared(DROP, [organizationId, environment, type, id]);
  }

  /** What waits for a patient who has come. */
  async ofPatient(transaction: TenantTransaction, patientId: string): Promise<readonly ResourceTarget[]> {
    const { organizationId, environment } = transaction.tenant;
    const { rows } = await statementsOf(transaction).runPrepared<ResourceTarget>(OF_PATIENT, [
      organizationId,
      environment,
      patientId,
    ]);
    return rows;
  }

  /** What waits, oldest first; with `olderThanS` only what has waited for so many seconds. */
  async page(
    transaction: TenantTransaction,
    {
      after,
      olderThanS,
      limit,
    }: { readonly after: AwaitingCursor | null; readonly olderThanS: number | null; readonly limit: number },
  ): Promise<readonly AwaitingResource[]> {
    const { organizationId, environment } = transaction.tenant;
    const { rows } = await statementsOf(transaction).run<AwaitingResource>(PAGE, [
      organizationId,
      environment,
      after?.since ?? null,
      after?.type ?? null,
      after?.id ?? null,
      olderThanS,
      limit,
    ]);
    return rows;
  }

  /** null: it does not wait. */
  async find(transaction: TenantTransaction, { type, id }: ResourceTarget): Promise<AwaitingResource | null> {
    const { organizationId, environment } = transaction.tenant;
    const { rows } = await statementsOf(transaction).run<AwaitingResource>(
      `select ${COLUMNS} from fhir_awaited_patients awaited where ${OF_TENANT} and awaited.type = $3 and awaited.id = $4 and ${STANDS}
        group by awaited.type, awaited.id`,
      [organizationId, environment, type, id],
    );
    return rows[0] ?? null;
  }

  /** How much waits in each tenant, and since when the oldest does. */
  async count(
    transaction: SystemTransaction,
  ): Promise<readonly (Tenant & { readonly items: number; readonly oldestSince: Date })[]> {
    const { rows } = await statementsOf(transaction).run<Tenant & { items: number; oldestSince: Date }>(COUNT, []);
    return rows;
  }
}
