import type { Observation, Patient } from '@medplum/fhirtypes';
import pg from 'pg';
import { JobRepository } from '../../../src/core/analysis/job.repository.js';
import { PatientRepository } from '../../../src/core/patients/patient.repository.js';
import { IdempotencyLedger } from '../../../src/core/idempotency/idempotency-ledger.js';
import { Outbox } from '../../../src/core/domain-events/outbox.js';
import { ANALYSES_PER_DAY } from '../../../src/core/organizations/organization.js';
import { QuotaLedger } from '../../../src/core/organizations/quota-ledger.js';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../src/core/tenancy/tenant.js';
import { sessionOptions } from '../../../src/platform/database/data-source.js';
import { TenantStatements } from '../../../src/platform/database/statements.js';
import { statementsOf } from '../../../src/platform/database/unit-of-work.js';
import { v7 } from 'uuid';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { FhirGround } from '../../support/fhir-ground.js';
import { FHIR_TABLES } from '../../support/fhir-tables.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const TENANT_TABLES = [
  'patients',
  'patient_identifiers',
  'images',
  'analysis_jobs',
  'idempotency_keys',
  'outbox_events',
  'quota_usage',
  'organizations',
  'fhir_tenants',
  ...FHIR_TABLES,
];
const HIDDEN_TABLES = [
  'api_keys',
  'service_secrets',
  'oauth_clients',
  'oauth_assertions',
  'published_keys',
  'ehr_tokens',
  'users',
  'user_roles',
  'user_sessions',
  'login_failures',
  'provider_logins',
  'ehr_launches',
];

describe('row-level security', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let own: Tenant;
  let foreign: Tenant;
  let foreignJobId: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    own = await context.createTenant();
    foreign = await context.createTenant();
    foreignJobId = await fillEveryTable(context, foreign);
  });

  afterAll(async () => {
    await context?.close();
    await database?.drop();
  });

  const countInTenant = (tenant: Tenant, table: string): Promise<number> =>
    context.get(UnitOfWork).inTenant(tenant, async (transaction) => {
      // Deliberately without any predicate: what a forgotten "where" would show.
      const { rows } = await statementsOf(transaction).run<{ count: number }>(
        `select count(*)::int as count from ${table}`,
      );
      return rows[0]?.count ?? -1;
    });

  it.each(TENANT_TABLES)('hides every row of %s where no tenant is set', async (table) => {
    const { rows } = await context.get(TenantStatements).run(`select * from ${table}`);
    expect(rows).toEqual([]);
  });

  it.each(TENANT_TABLES.filter((table) => table !== 'organizations' && table !== 'fhir_tenants'))(
    'hides another organization’s rows of %s from a query without predicate',
    async (table) => {
      expect(await countInTenant(foreign, table)).toBeGreaterThan(0);
      expect(await countInTenant(own, table)).toBe(0);
    },
  );

  it('shows an organization itself alone', async () => {
    expect(await countInTenant(own, 'organizations')).toBe(1);
  });

  it('shows a tenant its own number alone', async () => {
    expect(await countInTenant(own, 'fhir_tenants')).toBe(1);
  });

  it.each(['patients', 'images', 'analysis_jobs', 'outbox_events', ...FHIR_TABLES])(
    'hides the other environment’s rows of %s',
    async (table) => {
      expect(await countInTenant({ ...foreign, environment: 'live' }, table)).toBe(0);
    },
  );

  it.each(HIDDEN_TABLES)('keeps callers’ sessions out of %s altogether', async (table) => {
    await expect(context.get(TenantStatements).run(`select * from ${table}`)).rejects.toMatchObject({ code: '42501' });
  });

  it('refuses to write a row for another organization', async () => {
    const write = context.get(UnitOfWork).inTenant(own, async (transaction) => {
      await statementsOf(transaction).run(
        'insert into patients (id, organization_id, environment) values ($1, $2, $3)',
        [v7(), foreign.organizationId, 'test'],
      );
    });
    await expect(write).rejects.toMatchObject({ code: '42501' });
  });

  it('refuses to write a row that searches of another organization would read', async () => {
    const [{ number }] = (await queryDatabase(
      database.url,
      `select number from fhir_tenants where organization_id = $1 and environment = 'test'`,
      [foreign.organizationId],
    )) as [{ number: number }];
    const write = context.get(UnitOfWork).inTenant(own, async (transaction) => {
      await statementsOf(transaction).run(
        'insert into fhir_terms (tenant, term, resource, sort_at, qualifier, foremost) values ($1, $2, 1, now(), 0, true)',
        [number, v7()],
      );
    });
    await expect(write).rejects.toMatchObject({ code: '42501' });
  });

  it('leaves no tenant behind on the pooled connection', async () => {
    const narrow = await DatabaseContext.open(database.url, { SUTURA_DATABASE_POOL: '2' });
    try {
      await Promise.all([1, 2, 3, 4].map(() => narrow.get(JobRepository).read(foreign, foreignJobId)));
      await narrow.get(UnitOfWork).inTenant(foreign, () => Promise.resolve());
      const leftovers = await Promise.all(
        [1, 2, 3, 4].map(() =>
          narrow
            .get(TenantStatements)
            .run(`select nullif(current_setting('app.organization', true), '') as organization`),
        ),
      );
      expect(leftovers.flatMap(({ rows }) => rows)).toEqual(Array(4).fill({ organization: null }));
    } finally {
      await narrow.close();
    }
  });

  it('answers a poll in one statement that sees the tenant’s own job and nothing else', async () => {
    const { id } = await context.createJob(own);
    const jobs = context.get(JobRepository);
    const run = jest.spyOn(context.get(TenantStatements), 'runPrepared');
    expect(await jobs.read(own, foreignJobId)).toBeNull();
    expect(await jobs.read({ ...own, environment: 'live' }, id)).toBeNull();
    expect((await jobs.read(own, id))?.id).toBe(id);
    expect(run).toHaveBeenCalledTimes(3);
    run.mockRestore();
  });

  it('forces the policies on every table of the schema but the list of migrations', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class join pg_namespace n on n.oid = relnamespace
       where nspname = 'public' and relkind in ('r', 'p') and not (relrowsecurity and relforcerowsecurity)`,
    );
    await client.end();
    expect(rows).toEqual([{ name: 'migrations' }]);
  });

  it('runs neither pool as an account that the policies would not bind', async () => {
    const client = new pg.Client({ connectionString: database.url, options: sessionOptions('sutura_app') });
    await client.connect();
    const { rows } = await client.query(
      `select current_user::text as role, rolsuper or rolbypassrls as free, exists (select from pg_tables where tableowner = current_user) as owner,
         current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock, current_setting('synchronous_commit') as commit
       from pg_roles where rolname = current_user`,
    );
    await client.end();
    expect(rows).toEqual([
      { role: 'sutura_app', free: false, owner: false, statement: '10s', lock: '3s', commit: 'on' },
    ]);
  });

  it('does not start on an address whose own options would push the role aside', async () => {
    const address = new URL(database.url);
    address.searchParams.set('options', '-c statement_timeout=1min');
    await expect(DatabaseContext.open(address.href)).rejects.toThrow('row-level security');
  });
});

/** Resources with rows in each of the tables that searches read. */
const FOUND_BY_EVERYTHING: readonly (Patient | Observation)[] = [
  { resourceType: 'Patient', identifier: [{ system: 'urn:mrn', value: '1' }], birthDate: '1950-02-03' },
  {
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code: '89260-4', display: 'Area of wound' }] },
    subject: { reference: `Patient/${v7()}` },
    effectiveDateTime: '2026-03-01',
    valueQuantity: { value: 8, unit: 'cm2', system: 'http://unitsofmeasure.org', code: 'cm2' },
  },
];

async function fillEveryTable(context: DatabaseContext, tenant: Tenant): Promise<string> {
  const job = await context.createJob(tenant);
  for (const resource of FOUND_BY_EVERYTHING) await new FhirGround(context).insert(tenant, resource);
  await context.get(UnitOfWork).inTenant(tenant, async (transaction) => {
    await context.get(PatientRepository).resolve(transaction, { system: '', value: 'P-1' }, v7());
    await context.get(Outbox).append(transaction, { kind: 'analysis.queued', subjectId: job.id });
    await context.get(QuotaLedger).charge(transaction, tenant.organizationId, ANALYSES_PER_DAY);
    const key = { route: 'POST /jobs', key: 'k', bodySha256: 'b' };
    await context.get(IdempotencyLedger).store(transaction, key, { status: 201, headers: {}, body: {} });
  });
  return job.id;
}
