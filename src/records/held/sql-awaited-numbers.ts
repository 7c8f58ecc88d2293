import { Injectable } from '@nestjs/common';
import { AwaitedNumbers } from '../../core/held/awaited-numbers.js';
import { formKey, spelledSystem } from '../../core/patients/authority-forms.js';
import type { PatientIdentifier } from '../../core/patients/patient.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

/** The numbers of three parameters from this one on, by the systems that they are known by. */
const statedFrom = (
  at: number,
): string => `(select coalesce(known.system, said.system) as system, said.value from unnest($${at}::text[], $${at + 1}::text[], $${at + 2}::text[]) said (system, value, form)
    left join authority_forms known on known.organization_id = $1 and known.environment = $2 and known.form = said.form)`;
const KEEP = `insert into held_awaited_numbers (organization_id, environment, item_id, system, value)
  select $1::uuid, $2, $3::uuid, stated.system, stated.value from ${statedFrom(4)} stated on conflict do nothing`;
const DROP = `delete from held_awaited_numbers where organization_id = $1 and environment = $2 and item_id = $3`;
/** A record that was joined into another before its arrival was told has handed its numbers on. */
const OF_PATIENT = `select distinct awaited.item_id as "itemId" from held_awaited_numbers awaited
    join patient_identifiers known on known.organization_id = awaited.organization_id and known.environment = awaited.environment
      and known.system = awaited.system and known.value = awaited.value
  where awaited.organization_id = $1 and awaited.environment = $2 and known.patient_id = (select coalesce(merged_into, id) from patients
    where organization_id = $1 and environment = $2 and id = $3) order by awaited.item_id`;
const OF_ITEM = `select system, value from held_awaited_numbers where organization_id = $1 and environment = $2 and item_id = $3 order by system, value`;
const COME_FOR = `select known.patient_id as id from held_awaited_numbers awaited
    join patient_identifiers known on known.organization_id = awaited.organization_id and known.environment = awaited.environment
      and known.system = awaited.system and known.value = awaited.value
  where awaited.organization_id = $1 and awaited.environment = $2 and awaited.item_id = $3 order by known.patient_id limit 1`;
/** By a number, until the patient has come, and by the patient from then on, also where the record was joined into another since. */
const GOING_ON = `with stated as materialized ${statedFrom(3)},
  people as materialized (select distinct known.patient_id as id from stated join patient_identifiers known
    on known.organization_id = $1 and known.environment = $2 and known.system = stated.system and known.value = stated.value),
  about as (
    select awaited.item_id as id from held_awaited_numbers awaited join stated on stated.system = awaited.system and stated.value = awaited.value
      where awaited.organization_id = $1 and awaited.environment = $2
    union select id from held_items where organization_id = $1 and environment = $2 and reason = 'patient_unknown'
      and (came -> 'patientIds') ?| array(select id::text from people union select patient.id::text from patients patient join people on patient.merged_into = people.id))
  select item.id from about join held_items item on item.id = about.id
  where case when item.settled_at is not null then item.resolution ->> 'action' <> 'discard' else exists (
    select from held_awaited_numbers own join patient_identifiers known on known.organization_id = own.organization_id and known.environment = own.environment
      and known.system = own.system and known.value = own.value where own.item_id = item.id) end`;

@Injectable()
export class SqlAwaitedNumbers extends AwaitedNumbers {
  async keep(transaction: TenantTransaction, itemId: string, numbers: readonly PatientIdentifier[]): Promise<void> {
    await statementsOf(transaction).run(KEEP, [...placeOf(transaction), itemId, ...columnsOf(numbers)]);
  }

  async drop(transaction: TenantTransaction, itemId: string): Promise<void> {
    await statementsOf(transaction).run(DROP, [...placeOf(transaction), itemId]);
  }

  async ofItem(transaction: TenantTransaction, itemId: string): Promise<readonly PatientIdentifier[]> {
    return (await statementsOf(transaction).run<PatientIdentifier>(OF_ITEM, [...placeOf(transaction), itemId])).rows;
  }

  async comeFor(transaction: TenantTransaction, itemId: string): Promise<string | null> {
    const { rows } = await statementsOf(transaction).run<{ id: string }>(COME_FOR, [...placeOf(transaction), itemId]);
    return rows[0]?.id ?? null;
  }

  async goingOn(transaction: TenantTransaction, numbers: readonly PatientIdentifier[]): Promise<readonly string[]> {
    const values = [...placeOf(transaction), ...columnsOf(numbers)];
    return (await statementsOf(transaction).run<{ id: string }>(GOING_ON, values)).rows.map(({ id }) => id);
  }

  async ofPatient(transaction: TenantTransaction, patientId: string): Promise<readonly string[]> {
    const values = [...placeOf(transaction), patientId];
    const { rows } = await statementsOf(transaction).run<{ itemId: string }>(OF_PATIENT, values);
    return rows.map(({ itemId }) => itemId);
  }
}

function columnsOf(numbers: readonly PatientIdentifier[]): readonly (readonly string[])[] {
  return [
    numbers.map(({ system }) => spelledSystem(system)),
    numbers.map(({ value }) => value),
    numbers.map(({ system }) => formKey(system)),
  ];
}

function placeOf({ tenant: { organizationId, environment } }: TenantTransaction): [string, string] {
  return [organizationId, environment];
}
