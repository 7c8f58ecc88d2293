import { v7 } from 'uuid';
import { TraceRecords } from '../../../src/core/trace/trace-records.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { SystemStatements } from '../../../src/platform/database/statements.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

/** So many that a page of the newest photos of all would be the cheaper guess. */
const PATIENTS = 20;
const PHOTOS_EACH = 600;
const MOST_SHOWN = 21;

interface Plan {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** Rows that all nodes of a plan read, those that a filter took away among them. */
function rowsRead(plan: Plan): number {
  const own = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  return own + (plan.Plans ?? []).reduce((sum, part) => sum + rowsRead(part), 0);
}

describe('the trace of a patient', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let tenant: Tenant;
  const patients = Array.from({ length: PATIENTS }, () => v7());

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    tenant = await context.createTenant();
    const owner = [tenant.organizationId, tenant.environment];
    await queryDatabase(
      database.url,
      'insert into patients (id, organization_id, environment) select unnest($3::uuid[]), $1, $2',
      [...owner, patients],
    );
    // One patient after another, so that the photos of the first are the oldest.
    await queryDatabase(
      database.url,
      `insert into images (id, organization_id, environment, patient_id, status, origin, max_bytes, upload_expires_at, object_key, size_bytes, sha256, verdict, created_at, stored_at)
       select lpad(to_hex(row_number() over (order by place, number)), 32, '0')::uuid, $1, $2, patient, 'stored', 'upload', 1, now(), 'none', 1, 'aa',
           '{"readable": true, "format": "jpeg", "widthPx": 1, "heightPx": 1}', now(), now()
         from unnest($3::uuid[]) with ordinality as of (patient, place), generate_series(1, ${PHOTOS_EACH}) as number`,
      [...owner, patients],
    );
    await queryDatabase(database.url, 'analyze images');
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });

  it('reads the photos of that patient alone, however many are newer', async () => {
    const statements = context.get(SystemStatements);
    const run = jest.spyOn(statements, 'run');
    const found = await context.get(TraceRecords).find(patients[0]!);
    expect(found).toMatchObject([{ takenFor: 'patient', patientId: patients[0] }]);
    expect(found[0]!.imageIds).toHaveLength(MOST_SHOWN);
    const [sql, values] = run.mock.calls.find(([text]) => text.includes('from images where patient_id'))!;
    const { rows } = await statements.run<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
      `explain (analyze, format json) ${sql}`,
      values,
    );
    expect(rowsRead(rows[0]!['QUERY PLAN'][0]!.Plan)).toBeLessThan(4 * PHOTOS_EACH);
  });
});
