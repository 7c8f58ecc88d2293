import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnitOfWork } from '../../../src/core/ports/unit-of-work.js';
import { readSettings } from '../../../src/platform/config/settings.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { ResourceIndexer } from '../../../src/standards/fhir/search-index/rows/resource-indexer.js';
import { AssessmentPlaces } from '../../../src/standards/fhir/store/assessment-places.js';
import { IndexRenewal } from '../../../src/standards/fhir/store/index-renewal.js';
import { DatabaseContext } from '../../support/database-context.js';
import { queryDatabase } from '../../support/database-query.js';
import { FhirGround } from '../../support/fhir-ground.js';
import { readReleaseData, restoreRelease } from '../../support/release-data.js';
import type { TestDatabase } from '../../support/test-database.js';

/** What the first release kept of each row; the rest is filled by the renewal behind the start. */
const TABLES = {
  fhir_resources: 'number, address',
  fhir_terms: 'resource, tenant, term, sort_at, qualifier, foremost',
  fhir_references: 'resource, tenant, link, target, sort_at',
  fhir_dates: 'resource, tenant, link, low, high',
  fhir_quantities: 'resource, tenant, link, sort_at, low, high, code_system, code, unit_system, unit',
  fhir_strings: 'resource, tenant, link, value, exact',
} as const;

describe('index rows of an earlier release', () => {
  let dataDir: string;
  let database: TestDatabase;
  let context: DatabaseContext;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-narrow-'));
    database = await restoreRelease(readReleaseData('0.1.0'), dataDir);
    await migrate(database.url, Logger.create('silent'));
    context = await DatabaseContext.open(database.url);
  });
  afterAll(async () => {
    await context?.close();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const rowsOf = async (table: keyof typeof TABLES): Promise<string[]> =>
    (await queryDatabase(database.url, `select ${TABLES[table]} from ${table}`)).map((row) => JSON.stringify(row));
  const parametersOf = (): Promise<{ number: string; present: number[] }[]> =>
    queryDatabase(database.url, 'select number, present from fhir_resources order by number') as never;

  it('are after the migration those that this release writes', async () => {
    const migrated = Object.fromEntries(
      await Promise.all(
        (Object.keys(TABLES) as (keyof typeof TABLES)[]).map(async (table) => [table, await rowsOf(table)]),
      ),
    ) as Record<keyof typeof TABLES, string[]>;
    const parameters = await parametersOf();
    const { searches } = new FhirGround(context);
    const renewal = new IndexRenewal(
      new ResourceIndexer(searches),
      new AssessmentPlaces(searches),
      context.get(UnitOfWork),
      readSettings({}),
      Logger.create('silent'),
    );
    expect(await renewal.run()).toBe(migrated.fhir_resources.length);
    for (const table of Object.keys(TABLES) as (keyof typeof TABLES)[]) {
      expect(migrated[table].length).toBeGreaterThan(0);
      const renewed = new Set(await rowsOf(table));
      expect(migrated[table].filter((row) => !renewed.has(row))).toEqual([]);
    }
    const renewed = new Map((await parametersOf()).map(({ number, present }) => [number, present]));
    for (const { number, present } of parameters) expect(renewed.get(number)).toEqual(expect.arrayContaining(present));
  });

  it('are as many of each organization as of its own resources', async () => {
    const strange = await queryDatabase(
      database.url,
      `select from fhir_terms t join fhir_tenants own on own.number = t.tenant join fhir_resources r on r.number = t.resource
        where (r.organization_id, r.environment) <> (own.organization_id, own.environment)`,
    );
    expect(strange).toEqual([]);
  });

  it('of an organization made from then on have a number, too', async () => {
    const tenant = await context.createTenant();
    const made = await queryDatabase(
      database.url,
      'select environment from fhir_tenants where organization_id = $1 order by environment',
      [tenant.organizationId],
    );
    expect(made).toEqual([{ environment: 'live' }, { environment: 'test' }]);
  });
});
