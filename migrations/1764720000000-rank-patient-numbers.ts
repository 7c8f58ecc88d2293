import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The numbers that a patient is known by have an order, the main one first; numbers of persons, such as a social security number, are no longer among them. */
export class RankPatientNumbers1764720000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await runner.query(statement);
    // The owner of the tables is bound by row-level security, too, and may see none of the rows.
    await runner.query('set local role sutura_system');
    for (const statement of DATA) await runner.query(statement);
    await runner.query('reset role');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations go forward only.'));
  }
}

const TABLES = [
  `alter table patient_identifiers add column place int not null default 1`,
  // Wounds are looked for by any number of their patient, whose numbering the caller need not know.
  `create index patient_identifiers_by_value on patient_identifiers (organization_id, environment, value)`,
  `grant delete on patient_identifiers to sutura_app`,
];

/** As core/patients/patient-numbers said when this was written. */
const STATED = `select resource.organization_id, resource.environment, resource.id as patient_id, resource.number,
    coalesce(stated.one ->> 'system', '') as system, stated.one ->> 'value' as value, stated.place,
    coalesce(stated.one ->> 'use', '') = 'secondary' or coalesce(stated.one ->> 'system', '') in ('http://hl7.org/fhir/sid/us-ssn', 'urn:oid:2.16.840.1.113883.4.1')
      or (types.listed > 0 and not types.own) as is_personal
  from fhir_resources resource
  join fhir_versions version on version.resource = resource.number and version.version = resource.version
  cross join lateral jsonb_array_elements(coalesce(version.content::jsonb -> 'identifier', '[]')) with ordinality stated (one, place)
  cross join lateral (select count(*) as listed, coalesce(bool_or(coding ->> 'code' in ('MR', 'PI', 'U')), false) as own
    from jsonb_array_elements(coalesce(stated.one #> '{type,coding}', '[]')) coding
    where coding ->> 'code' is not null and (coding ->> 'system' is null or coding ->> 'system' ~ 'v2[-/]0203$')) types
  where resource.type = 'Patient' and stated.one ->> 'value' is not null and coalesce(stated.one ->> 'use', '') <> 'old'`;

/** Of patients who have a number of a record as well. */
const PERSONAL = `with stated as (${STATED}),
  personal as (select * from stated where is_personal and exists (select from stated other where other.number = stated.number and not other.is_personal))`;

const DATA = [
  `with stated as (${STATED}) update patient_identifiers held set place = stated.place from stated
     where held.organization_id = stated.organization_id and held.environment = stated.environment and held.patient_id::text = stated.patient_id
       and held.system = stated.system and held.value = stated.value`,
  `${PERSONAL} delete from patient_identifiers held using personal
     where held.organization_id = personal.organization_id and held.environment = personal.environment and held.patient_id::text = personal.patient_id
       and held.system = personal.system and held.value = personal.value`,
  `${PERSONAL} delete from fhir_identifiers held using personal
     where held.organization_id = personal.organization_id and held.environment = personal.environment and held.type = 'Patient' and held.resource = personal.number
       and held.system = personal.system and held.value = personal.value`,
  // Wounds were filed under the number that came first by the alphabet.
  `${PERSONAL} update wounds held set patient_system = main.system, patient_value = main.value from personal, patient_identifiers main
     where held.organization_id = personal.organization_id and held.environment = personal.environment and held.patient_id::text = personal.patient_id
       and held.patient_system = personal.system and held.patient_value = personal.value
       and main.patient_id = held.patient_id and (main.place, main.system, main.value) =
         (select place, system, value from patient_identifiers where patient_id = held.patient_id order by place, system, value limit 1)`,
];
