import { v7 } from 'uuid';
import type { Access } from '../../../../src/core/audit/access.js';
import { AuditLog } from '../../../../src/core/audit/audit-log.js';
import { AuditReader, type AuditCriterion, type AuditQuestion } from '../../../../src/core/audit/audit-reader.js';
import { AuditTrail } from '../../../../src/core/audit/audit-trail.js';
import { PatientRepository } from '../../../../src/core/patients/patient.repository.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { statementsOf } from '../../../../src/platform/database/unit-of-work.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { queryDatabase } from '../../../support/database-query.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';

const READ: Access = { door: 'fhir', interaction: 'read', action: 'R', patients: [], resources: ['Task/t1'] };
const ALL: AuditQuestion = { criteria: [], newestFirst: true, limit: 100, after: null };

describe('a tenant that asks its own trail', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let tenant: Tenant;
  let caller: Caller;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    tenant = await context.createTenant();
    caller = { ...tenant, keyId: v7(), scopes: [], origin: { requestId: 'r-1', address: '10.1.2.3' } };
  });

  const record = (access: Partial<Access>, by: Partial<Caller> = {}) =>
    context.get(AuditTrail).recordNow({ ...caller, ...by }, { ...READ, ...access });
  const ask = (question: Partial<AuditQuestion>, of = tenant) =>
    context
      .get(UnitOfWork)
      .inTenant(of, (transaction) => context.get(AuditReader).find(transaction, { ...ALL, ...question }));
  const found = async (...criteria: AuditCriterion[]) =>
    (await ask({ criteria })).records.map(({ resources, query }) => query ?? resources[0]);

  it('meets no row of another organization, nor of its own other environment', async () => {
    const others = [await context.createTenant(), { ...tenant, environment: 'live' as const }];
    const patient = v7();
    for (const other of others) await record({ patients: [patient] }, other);
    expect((await ask({})).records).toEqual([]);
    expect((await ask({ criteria: [{ kind: 'patient', ids: [patient] }] })).records).toEqual([]);
    const [row] = (await ask({}, others[0]!)).records;
    expect((await ask({ criteria: [{ kind: 'row', ids: [row!.id] }] })).records).toEqual([]);
  });

  it('is shown nothing by a statement that does not say that it asks for the trail, before and after', async () => {
    await record({});
    const count = 'select count(*)::int as rows from audit_events';
    const seen = await context.get(UnitOfWork).inTenant(tenant, async (transaction) => {
      const statements = statementsOf(transaction);
      const before = await statements.run<{ rows: number }>(count);
      const { records } = await context.get(AuditReader).find(transaction, ALL);
      return [before.rows[0]!.rows, records.length, (await statements.run<{ rows: number }>(count)).rows[0]!.rows];
    });
    expect(seen).toEqual([0, 1, 0]);
  });

  it('finds by key and person, resource, interaction, action and refusal', async () => {
    await record({ resources: ['Task/1'] }, { keyId: 'k-1', person: 'HCP-1' });
    await record({ resources: ['Task/2'], interaction: 'create', action: 'C' }, { keyId: 'k-2' });
    await record({ resources: [], interaction: 'search-type', query: 'code=1' }, { person: 'HCP-2' });
    await record({ resources: ['Task/3'], interaction: '$attest', action: 'E' });
    await record({ resources: ['Task/4'], refusal: { code: 'auth.scope', occurrences: 3 } });
    expect(await found({ kind: 'agent', keyIds: ['k-1', 'k-2'], persons: [] })).toEqual(['Task/2', 'Task/1']);
    expect(await found({ kind: 'agent', keyIds: [], persons: ['HCP-1', 'HCP-2'] })).toEqual(['code=1', 'Task/1']);
    expect(await found({ kind: 'resource', references: ['Task/3', 'Task/9'] })).toEqual(['Task/3']);
    expect(await found({ kind: 'interaction', names: ['create'], orOperation: true })).toEqual(['Task/3', 'Task/2']);
    expect(await found({ kind: 'action', actions: ['E'], searches: true })).toEqual(['Task/3', 'code=1']);
    expect(await found({ kind: 'action', actions: ['R'], searches: false })).toEqual(['Task/4', 'Task/1']);
    expect(await found({ kind: 'refused', refused: [true] })).toEqual(['Task/4']);
    expect(await found({ kind: 'refused', refused: [] })).toEqual([]);
  });

  it('finds what concerned a patient under each id that they had, also when they are erased', async () => {
    const patients = context.get(PatientRepository);
    const register = (value: string) =>
      context
        .get(UnitOfWork)
        .inTenant(tenant, (transaction) => patients.resolve(transaction, { system: 'urn:a', value }, v7()));
    const [former, present, other] = [await register('A-1'), await register('A-2'), await register('A-3')];
    for (const id of [former, present, other]) await record({ patients: [id], resources: [`Patient/${id}`] });
    await queryDatabase(database.url, 'update patients set merged_into = $2 where id = $1', [former, present]);
    const both = [`Patient/${present}`, `Patient/${former}`];
    expect(await found({ kind: 'patient', ids: [present] })).toEqual(both);
    expect(await found({ kind: 'patient', ids: [former] })).toEqual(both);
    expect(await found({ kind: 'patient-number', numbers: [{ value: 'A-2' }] })).toEqual(both);
    expect(await found({ kind: 'patient-number', numbers: [{ system: 'urn:b', value: 'A-2' }] })).toEqual([]);
    const operators = await context.get(AuditLog).list({ ...tenant, patient: 'A-2' }, 10, null);
    expect(operators.map(({ patientId }) => patientId)).toEqual([present, former]);
    const erased = v7();
    await record({ patients: [erased], resources: ['Media/x'] });
    expect(await found({ kind: 'patient', ids: [erased, 'no id'] })).toEqual(['Media/x']);
  });

  it.each([true, false])('shows each row of one moment once over its pages, newest first: %s', async (newestFirst) => {
    await queryDatabase(
      database.url,
      `insert into audit_events (organization_id, environment, recorded_at, door, interaction, action, key_id, resources)
         select $1, $2, '2026-03-01T10:00:00Z', 'fhir', 'read', 'R', 'k', array['Task/' || number] from generate_series(1, 120) number`,
      [tenant.organizationId, tenant.environment],
    );
    const seen: string[] = [];
    for (let after: AuditQuestion['after'] = null, more = true; more;) {
      const { records, end } = await ask({ newestFirst, limit: 25, after });
      seen.push(...records.map(({ resources }) => resources[0]!));
      [after, more] = [end, end !== null];
    }
    const written = Array.from({ length: 120 }, (_, index) => `Task/${index + 1}`);
    expect(seen).toEqual(newestFirst ? written.toReversed() : written);
  });

  it('pages in the order of time, both ways, also where the clock was set back', async () => {
    const at = ['10:00:00.000001', '10:00:00.000002', '09:00:00', '10:00:00.000001'];
    for (const [place, time] of at.entries())
      await queryDatabase(
        database.url,
        `insert into audit_events (organization_id, environment, recorded_at, door, interaction, action, key_id, resources)
           values ($1, $2, $3, 'fhir', 'read', 'R', 'k', $4)`,
        [tenant.organizationId, tenant.environment, `2026-03-01T${time}Z`, [`Task/${place}`]],
      );
    for (const [newestFirst, order] of [
      [true, ['Task/1', 'Task/3', 'Task/0', 'Task/2']],
      [false, ['Task/2', 'Task/0', 'Task/3', 'Task/1']],
    ] as const) {
      const seen: string[] = [];
      for (let after: AuditQuestion['after'] = null, more = true; more;) {
        const { records, end } = await ask({ newestFirst, limit: 1, after });
        seen.push(...records.map(({ resources }) => resources[0]!));
        [after, more] = [end, end !== null];
      }
      expect(seen).toEqual(order);
    }
    const within = { low: new Date('2026-03-01T08:30:00Z'), high: new Date('2026-03-01T09:30:00Z') };
    expect(await found({ kind: 'recorded', intervals: [within] })).toEqual(['Task/2']);
    expect(await found({ kind: 'recorded', intervals: [] })).toEqual([]);
  });
});
