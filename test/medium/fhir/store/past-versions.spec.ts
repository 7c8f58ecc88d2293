import type { DiagnosticReport, Patient, Resource } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { LegalHolds } from '../../../../src/core/erasure/legal-holds.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { PastVersions } from '../../../../src/standards/fhir/store/past-versions.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { queryDatabase } from '../../../support/database-query.js';
import { FhirGround } from '../../../support/fhir-ground.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const versions = new PastVersions();

describe('versions that a newer one took the place of', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: FhirGround;
  let tenant: Tenant;

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

  const insert = (resource: Resource, second: number, of = tenant) => {
    ground.now = at(second);
    return ground.insert(of, resource);
  };
  const change = (resource: Resource, second: number) =>
    ground.inTenant(tenant, async (transaction) => {
      ground.now = at(second);
      const current = await ground.store.findForUpdate(transaction, resource.resourceType, resource.id!);
      return ground.store.replace(transaction, current!, resource, { kind: 'client', keyId: v7() });
    });
  const patient = (id: string, more: Partial<Patient> = {}): Patient => ({ resourceType: 'Patient', id, ...more });
  const removeBefore = (second: number, limit = 50) =>
    context
      .get(UnitOfWork)
      .inSystem((transaction) => versions.removeBefore(transaction.about(tenant), at(second), limit));
  const kept = async () =>
    (
      await queryDatabase<{ name: string }>(
        database.url,
        `select r.id || '/' || v.version as name from fhir_versions v join fhir_resources r on r.number = v.resource where v.organization_id = $1 order by 1`,
        [tenant.organizationId],
      )
    ).map(({ name }) => name);
  const listed = async () =>
    (
      await queryDatabase<{ name: string }>(
        database.url,
        `select r.id || '/' || p.version as name from fhir_past_versions p join fhir_resources r on r.number = p.resource where p.organization_id = $1 order by 1`,
        [tenant.organizationId],
      )
    ).map(({ name }) => name);

  it('stay where they are younger, counted from the moment at which the newer one came', async () => {
    await insert(patient('a'), 1);
    await change(patient('a', { active: true }), 10);
    await change(patient('a', { active: false }), 20);
    expect(await removeBefore(10)).toEqual({ rows: 0, bytes: 0 });
    expect(await removeBefore(11)).toEqual({ rows: 1, bytes: expect.any(Number) });
    expect([await kept(), await listed()]).toEqual([['a/2', 'a/3'], ['a/2']]);
  });

  it('stay all while anybody of the tenant is on hold, and where they are versions of a report', async () => {
    const held = v7();
    const report: DiagnosticReport = {
      resourceType: 'DiagnosticReport',
      id: 'r',
      status: 'preliminary',
      code: { text: 'R' },
    };
    await insert(report, 1);
    await change({ ...report, status: 'final' }, 2);
    expect((await removeBefore(30)).rows).toBe(0);
    await insert(patient('a'), 1);
    await change(patient('a', { active: true }), 2);
    await queryDatabase(
      database.url,
      `insert into patients (id, organization_id, environment, created_at) values ($1, $2, $3, now())`,
      [held, tenant.organizationId, tenant.environment],
    );
    await context.get(UnitOfWork).inSystem((transaction) =>
      context.get(LegalHolds).place(transaction.about(tenant), {
        patientId: held,
        reason: 'Court file 12-345',
        placedBy: 'operator',
        placedAt: at(1),
      }),
    );
    expect((await removeBefore(30)).rows).toBe(0);
    expect(await kept()).toEqual(['a/1', 'a/2', 'r/1', 'r/2']);
  });

  it('go, some at a time, with their place in the history; what is present stays, and so does another organization’s', async () => {
    const other = await context.createTenant();
    await insert(patient('foreign'), 1, other);
    for (const id of ['a', 'b']) {
      await insert(patient(id), 1);
      await change(patient(id, { active: true }), 2);
      await change(patient(id, { active: false }), 3);
    }
    const sizes = [];
    for (let turn = 0; turn < 3; turn += 1) sizes.push((await removeBefore(30, 3)).rows);
    expect(sizes).toEqual([3, 1, 0]);
    expect([await kept(), await listed()]).toEqual([['a/3', 'b/3'], []]);
    const stored = await ground.inTenant(tenant, (transaction) => ground.store.find(transaction, 'Patient', 'a'));
    expect(stored?.resource).toMatchObject({ active: false, meta: { versionId: '3' } });
  });
});
