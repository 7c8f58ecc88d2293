import type { Observation, Resource } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import { INDEX_FORM } from '../../../../src/standards/fhir/search-index/rows/index-form.js';
import { ResourceIndexer } from '../../../../src/standards/fhir/search-index/rows/resource-indexer.js';
import { AssessmentPlaces } from '../../../../src/standards/fhir/store/assessment-places.js';
import { IndexRenewal } from '../../../../src/standards/fhir/store/index-renewal.js';
import { readSettings } from '../../../../src/platform/config/settings.js';
import { Logger } from '../../../../src/platform/logging/logger.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { queryDatabase } from '../../../support/database-query.js';
import { FhirGround } from '../../../support/fhir-ground.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';

const INDEX_TABLES = [
  'fhir_terms',
  'fhir_references',
  'fhir_dates',
  'fhir_quantities',
  'fhir_strings',
  'fhir_identifiers',
];
const area = (value: number): Observation => ({
  resourceType: 'Observation',
  id: v7(),
  identifier: [{ system: 'urn:areas', value: String(value) }],
  status: 'final',
  code: { coding: [{ system: 'http://loinc.org', code: '89260-4' }] },
  effectiveDateTime: '2026-03-01',
  valueQuantity: { value, unit: 'cm2', system: 'http://unitsofmeasure.org', code: 'cm2' },
});
const patient = (family: string): Resource => ({
  resourceType: 'Patient',
  id: v7(),
  name: [{ family }],
  birthDate: '1950-02-03',
});

describe('the index of resources from before a release', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: FhirGround;

  beforeEach(async () => {
    database = await createTestDatabase();
    context = await DatabaseContext.open(database.url);
    ground = new FhirGround(context);
  });
  afterEach(async () => {
    await context?.close();
    await database?.drop();
  });

  const renewal = (): IndexRenewal =>
    new IndexRenewal(
      new ResourceIndexer(ground.searches),
      new AssessmentPlaces(ground.searches),
      context.get(UnitOfWork),
      readSettings({}),
      Logger.create('silent'),
    );
  const sql = (text: string): Promise<Record<string, unknown>[]> => queryDatabase(database.url, text);
  const rows = async (): Promise<unknown[][]> =>
    Promise.all(
      ['fhir_versions', ...INDEX_TABLES].map(async (table) =>
        (await sql(`select * from ${table}`)).map((row) => JSON.stringify(row)).sort(),
      ),
    );
  const resources = (): Promise<Record<string, unknown>[]> =>
    sql(
      'select number, id, version, last_updated, sort_at, sort_end, is_long, present from fhir_resources order by number',
    );
  /** As an earlier release left it. */
  const setBack = async (): Promise<void> => {
    for (const statement of [
      'delete from fhir_strings',
      'update fhir_quantities set given_low = null, given_high = null',
      "update fhir_resources set present = '{}', sort_at = '-infinity', sort_end = null",
      'delete from fhir_index_passes',
    ])
      await sql(statement);
  };

  it('is made anew once, for every tenant, without a new version and without freeing an identifier', async () => {
    const [first, second] = [await context.createTenant(), await context.createTenant()];
    for (let value = 1; value <= 30; value += 1) await ground.insert(first, area(value));
    await ground.insert(second, patient('Muster'));
    const [before, kept] = [await rows(), await resources()];
    await setBack();
    expect(await renewal().run()).toBe(31);
    expect([await rows(), await resources()]).toEqual([before, kept]);
    expect(await renewal().run()).toBe(0);
  });

  it('goes on where a stop left it', async () => {
    const tenant = await context.createTenant();
    for (let value = 1; value <= 25; value += 1) await ground.insert(tenant, area(value));
    const before = await rows();
    await setBack();
    const stopped = renewal();
    const running = stopped.run();
    await stopped.beforeApplicationShutdown();
    const done = await running;
    expect(done).toBeLessThanOrEqual(25);
    expect(done + (await renewal().run())).toBe(25);
    expect(await rows()).toEqual(before);
  });

  it('leaves a resource that a client is writing to its writer, and comes back for it', async () => {
    const tenant = await context.createTenant();
    const written = await ground.insert(tenant, area(1));
    await ground.insert(tenant, area(2));
    await setBack();
    let renewed: Promise<number> = Promise.resolve(0);
    await ground.inTenant(tenant, async (transaction) => {
      const current = await ground.store.findForUpdate<Observation>(transaction, 'Observation', written.resource.id!);
      renewed = renewal().run();
      await ground.store.replace(transaction, current!, area(3), written.createdBy);
    });
    expect(await renewed).toBe(2);
    expect(
      (await sql('select given_high::float as given from fhir_quantities order by 1')).map(({ given }) => given),
    ).toEqual([2, 3]);
    expect(await sql('select done_through = last_number as done, form from fhir_index_passes')).toEqual([
      { done: true, form: INDEX_FORM },
    ]);
  });

  it('is tried again after a pause where the database was away', async () => {
    const tenant = await context.createTenant();
    for (let value = 1; value <= 25; value += 1) await ground.insert(tenant, area(value));
    const before = await rows();
    await setBack();
    const unitOfWork = context.get(UnitOfWork);
    let turn = 0;
    const failing = {
      inSystem: (work: never) =>
        (turn += 1) % 3 === 0 ? Promise.reject(new Error('The database is away.')) : unitOfWork.inSystem(work),
    } as unknown as UnitOfWork;
    const lines: string[] = [];
    class Impatient extends IndexRenewal {
      protected override readonly retryMs = 1;
    }
    expect(
      await new Impatient(
        new ResourceIndexer(ground.searches),
        new AssessmentPlaces(ground.searches),
        failing,
        readSettings({}),
        Logger.create('info', { write: (line: string) => void lines.push(line) }),
      ).run(),
    ).toBe(25);
    expect(await rows()).toEqual(before);
    expect(lines.filter((line) => line.includes('fhir.index_renewal_interrupted')).length).toBeGreaterThan(0);
    expect(lines.at(-1)).toContain('"indexed":25');
  });

  it('is left as it was for a version that cannot be read, which the log names, and goes on behind it', async () => {
    const tenant = await context.createTenant();
    const damaged = await ground.insert(tenant, area(1));
    for (let value = 2; value <= 25; value += 1) await ground.insert(tenant, area(value));
    await setBack();
    await sql(
      `update fhir_versions held set packed = set_byte(packed, length(packed) - 1, get_byte(packed, length(packed) - 1) # 1)
         from fhir_resources r where r.number = held.resource and r.id = '${damaged.resource.id}' returning 1`,
    );
    const lines: string[] = [];
    const renewed = new IndexRenewal(
      new ResourceIndexer(ground.searches),
      new AssessmentPlaces(ground.searches),
      context.get(UnitOfWork),
      readSettings({}),
      Logger.create('info', { write: (line: string) => void lines.push(line) }),
    );
    expect(await renewed.run()).toBe(25);
    expect(lines.filter((line) => line.includes('fhir.version_unreadable'))).toEqual([
      expect.stringContaining(`"type":"Observation","id":"${damaged.resource.id}","version":1`),
    ]);
    expect(await sql('select count(*)::int as left from fhir_quantities where given_high is null')).toEqual([
      { left: 1 },
    ]);
    expect(await renewal().run()).toBe(0);
  });

  it('is nothing to make in a new database', async () => {
    expect(await renewal().run()).toBe(0);
  });
});
