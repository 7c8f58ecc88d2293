import { Injectable } from '@nestjs/common';
import { AwaitedNumbers } from '../../core/held/awaited-numbers.js';
import { formKey, spelledSystem } from '../../core/patients/authority-forms.js';
import type { PatientIdentifier } from '../../core/patients/patient.js';
import type { TenantTransaction } from '../../core/ports/unit-of-work.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

const KEEP = `insert into held_awaited_numbers (organization_id, environment, item_id, system, value)
  select $1::uuid, $2, $3::uuid, coalesce(known.system, stated.system), stated.value from unnest($4::text[], $5::text[], $6::text[]) stated (system, value, form)
    left join authority_forms known on known.organization_id = $1 and known.environment = $2 and known.form = stated.form
  on conflict do nothing`;
const DROP = `delete from held_awaited_numbers where organization_id = $1 and environment = $2 and item_id = $3`;
/** A record that was joined into another before its arrival was told has handed its numbers on. */
const OF_PATIENT = `select distinct awaited.item_id as "itemId" from held_awaited_numbers awaited
    join patient_identifiers known on known.organization_id = awaited.organization_id and known.environment = awaited.environment
      and known.system = awaited.system and known.value = awaited.value
  where awaited.organization_id = $1 and awaited.environment = $2 and known.patient_id = (select coalesce(merged_into, id) from patients
    where organization_id = $1 and environment = $2 and id = $3) order by awaited.item_id`;

@Injectable()
export class SqlAwaitedNumbers extends AwaitedNumbers {
  async keep(transaction: TenantTransaction, itemId: string, numbers: readonly PatientIdentifier[]): Promise<void> {
    await statementsOf(transaction).run(KEEP, [
      ...placeOf(transaction),
      itemId,
      numbers.map(({ system }) => spelledSystem(system)),
      numbers.map(({ value }) => value),
      numbers.map(({ system }) => formKey(system)),
    ]);
  }

  async drop(transaction: TenantTransaction, itemId: string): Promise<void> {
    await statementsOf(transaction).run(DROP, [...placeOf(transaction), itemId]);
  }

  async ofPatient(transaction: TenantTransaction, patientId: string): Promise<readonly string[]> {
    const values = [...placeOf(transaction), patientId];
    const { rows } = await statementsOf(transaction).run<{ itemId: string }>(OF_PATIENT, values);
    return rows.map(({ itemId }) => itemId);
  }
}

function placeOf({ tenant: { organizationId, environment } }: TenantTransaction): [string, string] {
  return [organizationId, environment];
}
