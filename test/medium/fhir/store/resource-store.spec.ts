import type { BodyStructure, Observation, Patient, Resource } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import type { Author } from '../../../../src/standards/fhir/store/resource-store.js';
import { statementsOf } from '../../../../src/platform/database/unit-of-work.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { queryDatabase } from '../../../support/database-query.js';
import { FHIR_TABLES } from '../../../support/fhir-tables.js';
import { FhirGround, SERVICE } from '../../../support/fhir-ground.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { inTheNameOf } from '../../../support/in-the-name-of.js';

const CLIENT: Author = { kind: 'client', keyId: v7() };

const patientWith = (value: string, system: string | null = 'urn:oid:1.2.3'): Patient => ({
  resourceType: 'Patient',
  identifier: [{ ...(system === null ? {} : { system }), value }],
  name: [{ family: 'Muster' }],
  birthDate: '1950-02-03',
});
const woundOf = (patientId: string, value: string): BodyStructure => ({
  resourceType: 'BodyStructure',
  identifier: [{ system: 'urn:ward', value }],
  patient: { reference: `Patient/${patientId}` },
});
const areaOf = (patientId: string, value: number): Observation => ({
  resourceType: 'Observation',
  status: 'final',
  code: { coding: [{ system: 'http://loinc.org', code: '89260-4', display: 'Area of wound' }], text: 'Area' },
  subject: { reference: `Patient/${patientId}` },
  effectiveDateTime: '2026-03-01T10:12:00+01:00',
  valueQuantity: { value, unit: 'cm2', system: 'http://unitsofmeasure.org', code: 'cm2' },
});

describe('the store of FHIR resources', () => {
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

  const find = (type: Resource['resourceType'], id: string, of = tenant) =>
    ground.inTenant(of, (transaction) => ground.store.find(transaction, type, id));
  const rowsOf = async (table: string, of = tenant): Promise<Record<string, unknown>[]> =>
    queryDatabase(
      database.url,
      `select * from ${table} where ${table === 'fhir_resources' ? 'number' : 'resource'} in (select number from fhir_resources where organization_id = $1)`,
      [of.organizationId],
    );
  const replace = <T extends Resource>(
    type: T['resourceType'],
    id: string,
    change: (resource: T) => T,
    author: Author = CLIENT,
  ) =>
    ground.inTenant(tenant, async (transaction) => {
      const current = await ground.store.findForUpdate<T>(transaction, type, id);
      return ground.store.replace(transaction, current!, change(current!.resource), author);
    });

  it.each(['', 'a b', 'x'.repeat(65), "'; drop table fhir_resources", '../Patient', 'no-such-id'])(
    'knows no resource with the id %p',
    async (id) => {
      expect(await find('Patient', id)).toBeNull();
    },
  );

  it('hides resources from other tenants, whatever they ask', async () => {
    const { resource } = await ground.insert(tenant, patientWith('MRN-1'));
    const other = await context.createTenant();
    for (const asker of [other, { ...tenant, environment: 'live' as const }]) {
      expect(await find('Patient', resource.id!, asker)).toBeNull();
      expect(
        await ground.inTenant(asker, (transaction) =>
          ground.store.findVersion(transaction, 'Patient', resource.id!, 1),
        ),
      ).toBeNull();
      expect(
        await ground.inTenant(asker, (transaction) =>
          ground.store.history(transaction, 'Patient', resource.id!, 10, null),
        ),
      ).toEqual({ versions: [], hasMore: false });
      // Asked in the name of the owner: row-level security alone stands between.
      expect(
        await ground.inTenant(asker, (transaction) =>
          ground.store.find(inTheNameOf(tenant, transaction), 'Patient', resource.id!),
        ),
      ).toBeNull();
    }
  });

  it.each(FHIR_TABLES)('shows no row of %s to a transaction of another tenant', async (table) => {
    await ground.insert(tenant, patientWith('MRN-1'), CLIENT);
    await ground.insert(tenant, areaOf(v7(), 8.42), CLIENT);
    const other = await context.createTenant();
    const count = (of: Tenant) =>
      ground.inTenant(
        of,
        async (transaction) =>
          (await statementsOf(transaction).run<{ count: number }>(`select count(*)::int as count from ${table}`))
            .rows[0]!.count,
      );
    expect(await count(tenant)).toBeGreaterThan(0);
    expect(await count(other)).toBe(0);
  });

  it('lets nobody who serves callers rewrite a version', async () => {
    await ground.insert(tenant, patientWith('MRN-1'));
    for (const sql of [
      `update fhir_versions set content = '{}'`,
      'delete from fhir_versions',
      'delete from fhir_resources',
    ])
      await expect(ground.inTenant(tenant, (transaction) => statementsOf(transaction).run(sql))).rejects.toThrow(
        'permission denied',
      );
  });

  it('keeps a resource as it came, with its version and time', async () => {
    ground.now = new Date('2026-03-01T10:00:00.123Z');
    const given: Patient = {
      ...patientWith('MRN-1'),
      id: v7(),
      meta: { versionId: '77', profile: ['https://example.org/p'] },
      extension: [{ url: 'urn:x', valueString: 'a\u0000b\ud800c' }],
    };
    const inserted = await ground.insert(tenant, given, CLIENT);
    expect(inserted).toMatchObject({ version: 1, createdBy: CLIENT, lastUpdated: ground.now });
    const found = await find('Patient', given.id!);
    expect(found).toEqual(inserted);
    expect(found!.resource).toEqual({
      ...given,
      meta: { versionId: '1', lastUpdated: '2026-03-01T10:00:00.123Z', profile: ['https://example.org/p'] },
    });
  });

  it('writes nothing where the tenant has no number, rather than a resource that no search finds', async () => {
    const unnumbered = await context.createTenant();
    await queryDatabase(database.url, 'delete from fhir_tenants where organization_id = $1', [
      unnumbered.organizationId,
    ]);
    await expect(ground.insert(unnumbered, patientWith('1'), CLIENT)).rejects.toMatchObject({ code: '42501' });
    expect(await rowsOf('fhir_resources', unnumbered)).toEqual([]);
  });

  it('refuses an id that is taken, of the same type alone', async () => {
    const { resource } = await ground.insert(tenant, patientWith('MRN-1'));
    await expect(ground.insert(tenant, { ...patientWith('MRN-2'), id: resource.id! })).rejects.toMatchObject({
      code: 'fhir.duplicate',
    });
    await expect(ground.insert(tenant, { ...areaOf(v7(), 1), id: resource.id! }, SERVICE)).resolves.toMatchObject({
      version: 1,
      createdBy: SERVICE,
    });
  });

  it('refuses a client’s resource with an identifier that another of its type has', async () => {
    await ground.insert(tenant, patientWith('MRN-1'));
    await expect(ground.insert(tenant, patientWith('MRN-1'))).rejects.toMatchObject({ code: 'fhir.duplicate' });
    expect(await rowsOf('fhir_resources')).toHaveLength(1);
    const { resource } = await ground.insert(tenant, patientWith('MRN-2'));
    await expect(
      replace<Patient>('Patient', resource.id!, (patient) => ({
        ...patient,
        identifier: patientWith('MRN-1').identifier!,
      })),
    ).rejects.toMatchObject({ code: 'fhir.duplicate' });
    expect((await find('Patient', resource.id!))!.version).toBe(1);
  });

  it('lets identifiers be that are another type’s, another tenant’s, without a system, given up, or the service’s own', async () => {
    const { resource } = await ground.insert(tenant, patientWith('MRN-1'));
    await ground.insert(tenant, {
      resourceType: 'Practitioner',
      identifier: [{ system: 'urn:oid:1.2.3', value: 'MRN-1' }],
    });
    await ground.insert(await context.createTenant(), patientWith('MRN-1'));
    await ground.insert(tenant, patientWith('MRN-1'), SERVICE);
    for (const _ of [1, 2]) await ground.insert(tenant, patientWith('1', null));
    await replace<Patient>('Patient', resource.id!, (patient) => ({ ...patient, identifier: [] }));
    await expect(ground.insert(tenant, patientWith('MRN-1'))).resolves.toMatchObject({ version: 1 });
  });

  it('lets wards number the wounds of each patient anew', async () => {
    const [one, other] = [v7(), v7()];
    await ground.insert(tenant, woundOf(one, '1'));
    await ground.insert(tenant, woundOf(other, '1'));
    await expect(ground.insert(tenant, woundOf(one, '1'))).rejects.toMatchObject({ code: 'fhir.duplicate' });
  });

  it('keeps every version, newest first', async () => {
    const { resource } = await ground.insert(tenant, areaOf(v7(), 8.42), SERVICE);
    for (const value of [8.5, 8.6])
      await replace<Observation>(
        'Observation',
        resource.id!,
        (observation) => ({ ...observation, valueQuantity: { ...observation.valueQuantity!, value } }),
        CLIENT,
      );
    const { versions: history } = await ground.inTenant(tenant, (transaction) =>
      ground.store.history(transaction, 'Observation', resource.id!, 10, null),
    );
    expect(
      history.map(({ version, resource: each }) => [
        version,
        each.meta!.versionId,
        (each as Observation).valueQuantity!.value,
      ]),
    ).toEqual([
      [3, '3', 8.6],
      [2, '2', 8.5],
      [1, '1', 8.42],
    ]);
    expect(history.every(({ createdBy }) => createdBy.kind === 'service')).toBe(true);
    const { versions: older } = await ground.inTenant(tenant, (transaction) =>
      ground.store.history(transaction, 'Observation', resource.id!, 1, 3),
    );
    expect(older.map(({ version }) => version)).toEqual([2]);
    const second = await ground.inTenant(tenant, (transaction) =>
      ground.store.findVersion(transaction, 'Observation', resource.id!, 2),
    );
    expect(second!.resource).toMatchObject({ valueQuantity: { value: 8.5 }, meta: { versionId: '2' } });
    expect(
      await ground.inTenant(tenant, (transaction) =>
        ground.store.findVersion(transaction, 'Observation', resource.id!, 4),
      ),
    ).toBeNull();
  });

  it('leaves index rows of the present version alone', async () => {
    const { resource } = await ground.insert(tenant, areaOf(v7(), 8.42), CLIENT);
    const before = Object.fromEntries(
      await Promise.all(FHIR_TABLES.slice(3).map(async (table) => [table, (await rowsOf(table)).length] as const)),
    );
    await replace<Observation>('Observation', resource.id!, (observation) => ({
      ...observation,
      valueQuantity: { ...observation.valueQuantity!, value: 9 },
    }));
    expect(
      Object.fromEntries(
        await Promise.all(FHIR_TABLES.slice(3).map(async (table) => [table, (await rowsOf(table)).length] as const)),
      ),
    ).toEqual(before);
    expect((await rowsOf('fhir_quantities')).map(({ low, high, unit, code }) => [low, high, unit, code])).toEqual([
      [900, 900, 'mm2', '89260-4'],
    ]);
  });

  it('puts two who change a resource one after the other, and refuses what was read before', async () => {
    const { resource } = await ground.insert(tenant, areaOf(v7(), 0), CLIENT);
    const add = () =>
      replace<Observation>('Observation', resource.id!, (observation) => ({
        ...observation,
        valueQuantity: { ...observation.valueQuantity!, value: observation.valueQuantity!.value! + 1 },
      }));
    await Promise.all([add(), add(), add(), add(), add()]);
    const present = await find('Observation', resource.id!);
    expect(present).toMatchObject({ version: 6, resource: { valueQuantity: { value: 5 } } });
    const stale = { ...present!, version: 3 };
    await expect(
      ground.inTenant(tenant, (transaction) => ground.store.replace(transaction, stale, stale.resource, CLIENT)),
    ).rejects.toMatchObject({ code: 'fhir.version_conflict' });
  });

  it('never dates a version before the one it follows', async () => {
    ground.now = new Date('2026-03-01T10:00:00Z');
    const { resource } = await ground.insert(tenant, areaOf(v7(), 1), CLIENT);
    ground.now = new Date('2026-02-01T10:00:00Z');
    const next = await replace<Observation>('Observation', resource.id!, (observation) => observation);
    expect(next.lastUpdated.toISOString()).toBe('2026-03-01T10:00:00.000Z');
  });

  it('says which targets are not there', async () => {
    const { resource } = await ground.insert(tenant, patientWith('MRN-1'));
    const targets = [
      { type: 'Patient', id: resource.id! },
      { type: 'Patient', id: 'nobody' },
      { type: 'Observation', id: resource.id! },
    ];
    expect(await ground.inTenant(tenant, (transaction) => ground.store.missing(transaction, targets))).toEqual(
      targets.slice(1),
    );
  });

  it('takes what would break an index row otherwise: very long identifiers, infinite periods, the first and last years', async () => {
    const long = 'x'.repeat(20_000);
    await ground.insert(
      tenant,
      { ...patientWith(long, `urn:${long}`), name: [{ family: long, given: ['a\u0000b'] }], birthDate: '0001' },
      CLIENT,
    );
    await ground.insert(
      tenant,
      {
        resourceType: 'Encounter',
        status: 'planned',
        class: { code: long },
        period: { start: '9999-12-31' },
        subject: { reference: `https://elsewhere.example/${long}` },
      },
      CLIENT,
    );
    await ground.insert(
      tenant,
      { resourceType: 'Encounter', status: 'planned', class: { code: 'AMB' }, period: { end: '0001-01-01' } },
      CLIENT,
    );
    expect(await rowsOf('fhir_resources')).toHaveLength(3);
    await expect(ground.insert(tenant, patientWith(long, `urn:${long}`))).rejects.toMatchObject({
      code: 'fhir.duplicate',
    });
  });
});
