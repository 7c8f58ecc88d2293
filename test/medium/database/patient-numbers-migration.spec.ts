import type { Patient } from '@medplum/fhirtypes';
import pg from 'pg';
import { v7 } from 'uuid';
import { migrate } from '../../../src/platform/database/migrate.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { createFirstReleaseDatabase } from '../../support/first-release-database.js';
import type { TestDatabase } from '../../support/test-database.js';

const TYPE = 'http://terminology.hl7.org/CodeSystem/v2-0203';
const SSN = {
  type: { coding: [{ system: TYPE, code: 'SS' }] },
  system: 'https://authority/USSSA',
  value: '000-00-0000',
};
const MRN = { type: { coding: [{ system: TYPE, code: 'MR' }] }, system: 'urn:oid:1', value: 'MRN-1' };

let database: TestDatabase;
let client: pg.Client;
afterEach(async () => {
  await client?.end();
  await database?.drop();
});

it('an upgrade takes social security numbers from what patients are known by, unless there is nothing else, and files their wounds by the main number', async () => {
  database = await createFirstReleaseDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const organizationId = v7();
  await client.query(
    `insert into organizations (id, name, plan, result_policy, created_at) values ($1, 'Clinic', 'pro', 'review', now())`,
    [organizationId],
  );
  const [known, alone] = [v7(), v7()];
  await insertPatient(organizationId, {
    resourceType: 'Patient',
    id: known,
    identifier: [{ system: 'urn:oid:9', value: 'Z-1' }, MRN, SSN],
  });
  await insertPatient(organizationId, {
    resourceType: 'Patient',
    id: alone,
    identifier: [{ ...SSN, value: '999-55-1111' }],
  });
  await client.query(
    `insert into wounds (id, organization_id, environment, patient_id, patient_system, patient_value, wound_id_system, wound_id, status, created_at)
    values ($1, $2, 'test', $3, $4, $5, '', 'W-1', 'open', now())`,
    [v7(), organizationId, known, SSN.system, SSN.value],
  );

  await migrate(database.url, Logger.create('silent'));

  expect(
    (await client.query('select value from patient_identifiers where patient_id = $1 order by place', [known])).rows,
  ).toEqual([{ value: 'Z-1' }, { value: 'MRN-1' }]);
  expect((await client.query('select value from patient_identifiers where patient_id = $1', [alone])).rows).toEqual([
    { value: '999-55-1111' },
  ]);
  expect((await client.query('select patient_value from wounds')).rows).toEqual([{ patient_value: 'Z-1' }]);
  expect(
    (await client.query(`select value from fhir_identifiers order by value`)).rows.map(
      ({ value }: { value: string }) => value,
    ),
  ).toEqual(['999-55-1111', 'MRN-1', 'Z-1']);
});

/** As the first release filed it: every number is the patient's own. */
async function insertPatient(
  organizationId: string,
  patient: Patient & { identifier: { system: string; value: string }[] },
): Promise<void> {
  await client.query(`insert into patients (id, organization_id, environment) values ($1, $2, 'test')`, [
    patient.id,
    organizationId,
  ]);
  const { rows } = await client.query<{ number: string }>(
    `insert into fhir_resources (organization_id, environment, type, id, version, last_updated, sort_at, is_long, present) values ($1, 'test', 'Patient', $2, 1, now(), '-infinity', false, '{}') returning number`,
    [organizationId, patient.id],
  );
  const number = rows[0]!.number;
  await client.query(
    `insert into fhir_versions (resource, version, organization_id, environment, last_updated, content) values ($1, 1, $2, 'test', now(), $3)`,
    [number, organizationId, JSON.stringify(patient)],
  );
  for (const { system, value } of patient.identifier) {
    await client.query(
      `insert into patient_identifiers (organization_id, environment, system, value, patient_id) values ($1, 'test', $2, $3, $4)`,
      [organizationId, system, value, patient.id],
    );
    await client.query(
      `insert into fhir_identifiers (organization_id, environment, type, system, value, scope, resource) values ($1, 'test', 'Patient', $2, $3, '', $4)`,
      [organizationId, system, value, number],
    );
  }
}
