import type { Patient } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { PatientResources } from '../../../../src/standards/fhir/store/patient-resources.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { queryDatabase } from '../../../support/database-query.js';
import { FhirGround } from '../../../support/fhir-ground.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';

/** More than are read at once. */
const VERSIONS = 503;

describe('the resources of a patient, for the erasure', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: FhirGround;
  let tenant: Tenant;
  const resources = new PatientResources();

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    ground = new FhirGround(context);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
  });

  const naming = (words: readonly string[], of = tenant): Promise<string[]> =>
    ground.inTenant(of, async (transaction) => {
      const found: string[] = [];
      for await (const { number, version } of resources.naming(transaction, words)) found.push(`${number} ${version}`);
      return found;
    });

  it('are none of another tenant’s that says the same word, and none that only resembles it', async () => {
    const patient: Patient = { resourceType: 'Patient', identifier: [{ value: 'MRN_1' }] };
    await ground.insert(await context.createTenant(), patient);
    await ground.insert(tenant, { ...patient, identifier: [{ value: 'MRNX1' }] });
    expect(await naming(['"MRN_1"'])).toEqual([]);
    await ground.insert(tenant, patient);
    expect(await naming(['"MRN_1"'])).toHaveLength(1);
  });

  it('are found with every version that says a word, however many versions one of them has', async () => {
    const { resource } = await ground.insert<Patient>(tenant, { resourceType: 'Patient', id: v7(), birthDate: '1950' });
    await ground.insert<Patient>(tenant, { resourceType: 'Patient', id: v7(), birthDate: '1950' });
    await queryDatabase(
      database.url,
      `insert into fhir_versions select (jsonb_populate_record(held, jsonb_build_object('version', place))).*
         from fhir_versions held join fhir_resources r on r.number = held.resource, generate_series(2, ${VERSIONS}) place where r.id = $1`,
      [resource.id],
    );
    const found = await naming(['"1950"']);
    expect(new Set(found).size).toBe(VERSIONS + 1);
    expect(found).toHaveLength(VERSIONS + 1);
  });
});
