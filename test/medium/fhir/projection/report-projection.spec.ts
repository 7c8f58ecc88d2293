import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { ProjectionGround, type DiagnosticReport, type Media, type Observation, type Provenance, type Task } from './projection-ground.js';

describe('reports as FHIR', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: ProjectionGround;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    ground = new ProjectionGround(context);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
  });

  it('has none of a report of nobody', async () => {
    const report = await ground.followUp.assess(tenant, 0, 9, null);
    await ground.deliver(tenant);
    expect(await ground.all(tenant)).toEqual([]);
    expect(report.content.subject.patient).toBeNull();
  });

  it('makes everything that a report refers to, and all of it meets its profile', async () => {
    const report = await ground.followUp.assess(tenant, 0, 9);
    await ground.deliver(tenant);
    const types = (await ground.all(tenant)).map(({ resourceType }) => resourceType);
    expect(types).toEqual(['BodyStructure', 'Device', 'DiagnosticReport', 'Media', 'Observation', 'Observation', 'Observation', 'Observation', 'Organization', 'Patient', 'Provenance', 'Task']);
    expect((await ground.faultsOf(tenant)).filter(([, faults]) => faults.length > 0)).toEqual([]);
    expect(await ground.read<Task>(tenant, 'Task', report.jobId)).toMatchObject({ status: 'completed', output: [{ valueReference: { reference: `DiagnosticReport/${report.id}` } }] });
  });
});
