import type { Condition, Patient, Resource } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { readSettings } from '../../../../src/platform/config/settings.js';
import { Logger } from '../../../../src/platform/logging/logger.js';
import { ResourceIndexer } from '../../../../src/standards/fhir/search-index/rows/resource-indexer.js';
import { AssessmentPlaces } from '../../../../src/standards/fhir/store/assessment-places.js';
import { IndexRenewal } from '../../../../src/standards/fhir/store/index-renewal.js';
import { PastResources } from '../../../../src/standards/fhir/store/past-resources.js';
import { PastVersions } from '../../../../src/standards/fhir/store/past-versions.js';
import { PatientResources } from '../../../../src/standards/fhir/store/patient-resources.js';
import type { Author, StoredResource } from '../../../../src/standards/fhir/store/resource-store.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { queryDatabase } from '../../../support/database-query.js';
import { FhirGround, SERVICE } from '../../../support/fhir-ground.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';

const CLIENT: Author = { kind: 'client', keyId: v7() };
const OTHER: Author = { kind: 'client', keyId: v7() };
const patientWith = (value: string): Patient => ({
  resourceType: 'Patient',
  id: v7(),
  identifier: [{ system: 'urn:oid:1.2.3', value }],
});
const conditionOf = (patientId: string, more: object = {}): Condition => ({
  resourceType: 'Condition',
  id: v7(),
  subject: { reference: `Patient/${patientId}` },
  ...more,
});

describe('deleted resources in the store', () => {
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
    ground.now = null;
    tenant = await context.createTenant();
  });

  const remove = (resource: Resource, author = CLIENT): Promise<StoredResource> =>
    ground.inTenant(tenant, async (transaction) => {
      const current = await ground.store.findToDelete(transaction, resource.resourceType, resource.id!);
      return ground.store.delete(transaction, current!, author);
    });
  const find = (resource: Resource): Promise<StoredResource | null> =>
    ground.inTenant(tenant, (transaction) => ground.store.find(transaction, resource.resourceType, resource.id!));
  const findDeleted = (resource: Resource) =>
    ground.inTenant(tenant, (transaction) =>
      ground.store.findDeleted(transaction, resource.resourceType, resource.id!),
    );
  const rowsOf = (table: string) =>
    queryDatabase(
      database.url,
      `select x.* from ${table} x join fhir_resources r on r.number = x.resource where r.organization_id = $1`,
      [tenant.organizationId],
    );

  it('are found by nothing, are missing where they are referred to, and leave no row of the index and no identifier taken', async () => {
    const { resource } = await ground.insert(tenant, patientWith('MRN-1'), CLIENT);
    expect(await remove(resource)).toMatchObject({ version: 2, createdBy: CLIENT });
    expect(await find(resource)).toBeNull();
    const targets = [{ type: 'Patient', id: resource.id! }];
    await ground.inTenant(tenant, async (transaction) => {
      expect(await ground.store.findAll(transaction, targets)).toEqual([]);
      expect(await ground.store.findForUpdate(transaction, 'Patient', resource.id!)).toBeNull();
      expect(await ground.store.findToDelete(transaction, 'Patient', resource.id!)).toBeNull();
      expect(await ground.store.missing(transaction, targets)).toEqual(targets);
    });
    for (const table of [
      'fhir_terms',
      'fhir_references',
      'fhir_dates',
      'fhir_strings',
      'fhir_quantities',
      'fhir_identifiers',
    ])
      expect(await rowsOf(table)).toEqual([]);
    await ground.insert(tenant, patientWith('MRN-1'), OTHER);
  });

  it('are known by their deletion and by what they were, as long as that is kept', async () => {
    ground.now = new Date('2026-01-01T00:00:00Z');
    const { resource } = await ground.insert(tenant, patientWith('MRN-1'), CLIENT);
    await remove(resource);
    expect(await findDeleted(resource)).toMatchObject({ version: 2, isKnown: true, resource });
    const gone = await ground.inTenant(tenant, (transaction) =>
      ground.store.findVersion(transaction, 'Patient', resource.id!, 2),
    );
    expect(gone).toMatchObject({ isDeletion: true, resource: { resourceType: 'Patient', id: resource.id } });
    const removed = await context
      .get(UnitOfWork)
      .inSystem((transaction) =>
        new PastVersions().removeBefore(transaction.about(tenant), new Date('2026-02-01'), 10),
      );
    expect(removed.rows).toBe(1);
    expect(await findDeleted(resource)).toMatchObject({ version: 2, isKnown: false });
    expect(await find(resource)).toBeNull();
  });

  it.each([
    ['with others of one insert', OTHER],
    ['as the service’s own', SERVICE],
  ])('come to life again %s, and stay their first author’s, who alone may see what they were', async (_, author) => {
    const { resource } = await ground.insert(tenant, patientWith('MRN-1'), CLIENT);
    await remove(resource);
    const fresh = patientWith('MRN-2');
    const stored = await ground.inTenant(tenant, (transaction) =>
      ground.store.insertAll(transaction, [
        { resource: fresh, author: CLIENT },
        { resource: { ...resource, birthDate: '1950-02-03' }, author },
      ]),
    );
    expect(stored.map(({ version, createdBy }) => [version, createdBy])).toEqual([
      [1, CLIENT],
      [3, CLIENT],
    ]);
    expect(await find(resource)).toMatchObject({
      version: 3,
      createdBy: CLIENT,
      resource: { birthDate: '1950-02-03' },
    });
    expect(await findDeleted(resource)).toBeNull();
    const { versions } = await ground.inTenant(tenant, (transaction) =>
      ground.store.history(transaction, 'Patient', resource.id!, 10, null),
    );
    expect(versions.map(({ version, isDeletion = false }) => [version, isDeletion])).toEqual([
      [3, false],
      [2, true],
      [1, false],
    ]);
  });

  it('are not locked with others, which are found without them', async () => {
    const [gone, there] = [patientWith('1'), patientWith('2')];
    for (const patient of [gone, there]) await ground.insert(tenant, patient, CLIENT);
    await remove(gone);
    const targets = [gone, there].map(({ id }) => ({ type: 'Patient' as const, id: id! }));
    const found = await ground.inTenant(tenant, (transaction) => ground.store.findAllForUpdate(transaction, targets));
    expect(found.map(({ resource }) => resource.id)).toEqual([there.id]);
  });

  it('come to life again where the service makes sure of them, and only then', async () => {
    const { resource } = await ground.insert(tenant, patientWith('MRN-1'), CLIENT);
    const again = (): Promise<StoredResource | null> =>
      ground.inTenant(tenant, (transaction) => ground.store.insertUnlessThere(transaction, resource, SERVICE));
    expect(await again()).toBeNull();
    await remove(resource);
    expect(await again()).toMatchObject({ version: 3, createdBy: CLIENT });
    expect(await again()).toBeNull();
  });

  it('are refused again where another has their number by then', async () => {
    const { resource } = await ground.insert(tenant, patientWith('MRN-1'), CLIENT);
    await remove(resource);
    await ground.insert(tenant, patientWith('MRN-1'), OTHER);
    await expect(ground.insert(tenant, resource, CLIENT)).rejects.toMatchObject({ code: 'fhir.duplicate' });
  });

  it('name who refers to them, by an element that is searched or by any other, but for what is deleted itself', async () => {
    const { resource } = await ground.insert(tenant, patientWith('MRN-1'), CLIENT);
    const bySubject = conditionOf(resource.id!);
    const other = patientWith('MRN-2');
    const byExtension = conditionOf(other.id!, {
      extension: [{ url: 'urn:example:x', valueReference: { reference: `Patient/${resource.id}/_history/1` } }],
    });
    for (const each of [other, bySubject, byExtension]) await ground.insert<Resource>(tenant, each, CLIENT);
    const gone = conditionOf(resource.id!);
    await ground.insert(tenant, gone, CLIENT);
    await remove(gone);
    const referrers = () =>
      ground.inTenant(tenant, (transaction) =>
        ground.store.referrers(transaction, [{ type: 'Patient', id: resource.id! }], 10),
      );
    expect(await referrers()).toEqual([]);
    await remove(resource);
    expect((await referrers()).map(({ id }) => id).sort()).toEqual([bySubject.id, byExtension.id].sort());
  });

  it('are waited for by those who refer to them, and by no other writer', async () => {
    const { resource } = await ground.insert(tenant, patientWith('MRN-1'), CLIENT);
    const targets = [{ type: 'Patient', id: resource.id! }];
    const asked: Promise<unknown>[] = [];
    await ground.inTenant(tenant, async (deleting) => {
      const current = await ground.store.findToDelete(deleting, 'Patient', resource.id!);
      asked.push(ground.inTenant(tenant, (transaction) => ground.store.missing(transaction, targets)));
      await ground.store.delete(deleting, current!, CLIENT);
    });
    expect(await Promise.all(asked)).toEqual([targets]);

    const { resource: kept } = await ground.insert(tenant, patientWith('MRN-2'), CLIENT);
    await ground.inTenant(tenant, async (referring) => {
      expect(await ground.store.missing(referring, [{ type: 'Patient', id: kept.id! }])).toEqual([]);
      // Another version is made meanwhile, without waiting.
      await ground.inTenant(tenant, async (changing) => {
        const current = await ground.store.findForUpdate<Patient>(changing, 'Patient', kept.id!);
        await ground.store.replace(changing, current!, { ...kept, gender: 'female' }, CLIENT);
      });
    });
    expect(await find(kept)).toMatchObject({ version: 2 });
  });

  it('are left out by the renewal of the index, which goes on behind them', async () => {
    const { resource } = await ground.insert(tenant, patientWith('MRN-1'), CLIENT);
    const behind = await ground.insert(tenant, patientWith('MRN-2'), CLIENT);
    await remove(resource);
    await queryDatabase(database.url, 'delete from fhir_index_passes');
    await queryDatabase(database.url, 'delete from fhir_terms');
    const renewal = new IndexRenewal(
      new ResourceIndexer(ground.searches),
      new AssessmentPlaces(ground.searches),
      context.get(UnitOfWork),
      readSettings({}),
      Logger.create('silent'),
    );
    expect(await renewal.run()).toBeGreaterThan(0);
    const numbers = (await rowsOf('fhir_terms')).map((row) => (row as { resource: string }).resource);
    expect(new Set(numbers).size).toBe(1);
    expect(await find(behind.resource)).not.toBeNull();
  });

  it('are the patient’s own for an erasure, with all that they were', async () => {
    const { resource } = await ground.insert(tenant, patientWith('MRN-1'), CLIENT);
    const { resource: condition } = await ground.insert(tenant, conditionOf(resource.id!), CLIENT);
    await remove(condition);
    const found: [number, boolean][] = [];
    await ground.inTenant(tenant, async (transaction) => {
      for await (const { version, isPresent } of new PatientResources().naming(transaction, [
        `Patient/${resource.id}"`,
      ]))
        found.push([version, isPresent]);
    });
    expect(found).toEqual([[1, true]]);
  });

  it('are none of an export of that moment, and what they were of one before, in one line whatever they say', async () => {
    ground.now = new Date('2026-01-01T00:00:00Z');
    const named = { ...patientWith('MRN-1'), name: [{ text: 'a\u2028b\nc' }] };
    const { resource } = await ground.insert(tenant, named, CLIENT);
    const [{ number } = { number: '' }] = await queryDatabase<{ number: string }>(
      database.url,
      'select number::text as number from fhir_resources where id = $1',
      [resource.id],
    );
    ground.now = new Date('2026-02-01T00:00:00Z');
    await remove(resource);
    const at = (moment: string): Promise<string[]> =>
      ground.inTenant(tenant, (transaction) =>
        new PastResources().at(transaction, [{ id: resource.id!, number }], new Date(moment), {
          since: null,
          subject: null,
        }),
      );
    expect(await at('2026-03-01T00:00:00Z')).toEqual([]);
    const [line] = await at('2026-01-15T00:00:00Z');
    expect(line).not.toMatch(/[\n\u2028]/);
    expect(JSON.parse(line!)).toEqual(resource);
  });

  it('are told to an export by their ids, within a span, page by page', async () => {
    const made = await Promise.all(['1', '2', '3'].map((value) => ground.insert(tenant, patientWith(value), CLIENT)));
    const since = new Date();
    for (const { resource } of made) await remove(resource);
    await ground.insert(tenant, made[2]!.resource, CLIENT);
    const past = new PastResources();
    const span = { since, until: new Date(Date.now() + 1000) };
    const pages = await ground.inTenant(tenant, async (transaction) => {
      const first = await past.deletedIn(transaction, 'Patient', span, null, 1);
      const second = await past.deletedIn(transaction, 'Patient', span, first.last, 1);
      return [first, second, await past.deletedIn(transaction, 'Patient', span, second.last, 1)];
    });
    expect(pages.map(({ ids }) => ids)).toEqual([[made[0]!.resource.id], [made[1]!.resource.id], []]);
    expect(pages[2]!.last).toBeNull();
  });
});
