import type { Media, Observation, Patient, Resource } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { PatientDataErasers } from '../../../../src/core/erasure/patient-data-eraser.js';
import type { ErasedPatient } from '../../../../src/core/erasure/patient-record.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { PatientResourcesEraser } from '../../../../src/doors/fhir/records/patient-resources.eraser.js';
import { contentOf, type KeptContent } from '../../../../src/standards/fhir/store/packed-content.js';
import { PastResources } from '../../../../src/standards/fhir/store/past-resources.js';
import { PatientResources } from '../../../../src/standards/fhir/store/patient-resources.js';
import type { Author } from '../../../../src/standards/fhir/store/resource-store.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { queryDatabase } from '../../../support/database-query.js';
import { FhirGround } from '../../../support/fhir-ground.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { Searching } from '../search/searching.js';

const CLIENT: Author = { kind: 'client', keyId: v7() };
const NUMBER = { system: 'urn:oid:1.2.3', value: 'MRN-4711' };
const WORDS = 'Anna Beispiel';
const VALUE = { value: 8.42, unit: 'cm2', system: 'http://unitsofmeasure.org', code: 'cm2' };

interface KeptVersion extends KeptContent {
  readonly version: number;
}

describe('packed versions', () => {
  let database: TestDatabase;
  let context: DatabaseContext;
  let ground: FhirGround;
  let tenant: Tenant;
  let [anna, berta]: [string, string] = [] as never;

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
    anna = await patient(NUMBER);
    berta = await patient({ ...NUMBER, value: 'MRN-4712' });
  });

  async function patient(identifier: typeof NUMBER): Promise<string> {
    const made = await ground.insert<Patient>(tenant, { resourceType: 'Patient', identifier: [identifier] }, CLIENT);
    return made.resource.id!;
  }
  const areaOf = (patientId: string, more: Partial<Observation> = {}): Observation => ({
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code: '89260-4' }] },
    subject: { reference: `Patient/${patientId}` },
    valueQuantity: VALUE,
    ...more,
  });
  const photoOf = (patientId: string, more: Partial<Media> = {}): Media => ({
    resourceType: 'Media',
    status: 'completed',
    subject: { reference: `Patient/${patientId}` },
    note: [{ text: 'A photo of a wound, with a calibration card beside it.' }],
    content: { contentType: 'image/jpeg' },
    ...more,
  });
  const insert = async <T extends Resource>(resource: T): Promise<T> =>
    (await ground.insert<T>(tenant, resource, CLIENT)).resource;
  const replace = <T extends Resource>(resource: T, next: Partial<T>): Promise<unknown> =>
    ground.inTenant(tenant, async (transaction) => {
      const current = await ground.store.findForUpdate<T>(transaction, resource.resourceType, resource.id!);
      return ground.store.replace<T>(transaction, current!, { ...current!.resource, ...next }, CLIENT);
    });
  const query = <T extends object = object>(sql: string, values: unknown[] = []) =>
    queryDatabase<T>(database.url, sql, values);
  const versionsOf = ({ id }: Resource) =>
    query<KeptVersion>(
      `select held.version, held.content, held.packed from fhir_versions held join fhir_resources r on r.number = held.resource
         where r.organization_id = $1 and r.id = $2 order by held.version`,
      [tenant.organizationId, id],
    );
  const textsOf = async (resource: Resource): Promise<string[]> =>
    (await versionsOf(resource)).map((kept) => JSON.stringify(contentOf(kept)));
  /** As a release from before packing left it. */
  const unpack = async (resource: Resource, version = 1): Promise<void> => {
    const kept = (await versionsOf(resource)).find((one) => one.version === version)!;
    expect(kept.packed).not.toBeNull();
    await query(
      `update fhir_versions held set content = $3, packed = null, status = null, patient_id = null from fhir_resources r
         where r.number = held.resource and r.organization_id = $1 and r.id = $2 and held.version = $4 returning 1`,
      [tenant.organizationId, resource.id, JSON.stringify(contentOf(kept)), version],
    );
  };
  const damage = (resource: Resource) =>
    query(
      `update fhir_versions held set packed = set_byte(packed, length(packed) - 1, get_byte(packed, length(packed) - 1) # 1) from fhir_resources r
         where r.number = held.resource and r.organization_id = $1 and r.id = $2 and packed is not null returning 1`,
      [tenant.organizationId, resource.id],
    );

  describe('at an erasure', () => {
    const erase = (changes: Partial<ErasedPatient> = {}) =>
      context.get(UnitOfWork).inSystem((transaction) =>
        new PatientResourcesEraser(new PatientResources(), new PatientDataErasers()).erase(transaction.about(tenant), {
          tenant,
          patientIds: [anna],
          imageIds: [],
          jobIds: [],
          reportIds: [],
          woundIds: [],
          requestIds: [],
          words: { numbers: [NUMBER], names: [] },
          sharedValues: [],
          ...changes,
        }),
      );

    it('of the patient that cannot be read are named, without a word of them, and nothing counts as erased', async () => {
      const own = await insert(areaOf(anna, { note: [{ text: WORDS }] }));
      await damage(own);
      const refusal = await erase().then(
        () => null,
        (fault: Error) => fault,
      );
      expect(refusal?.message).toContain(`Observation/${own.id}/_history/1 is damaged`);
      expect(String(refusal?.stack)).not.toContain('Anna');
      expect(await versionsOf(own)).toHaveLength(1);
    });

    it('of others are not read, and so hinder nothing where they are damaged', async () => {
      const [own, other] = [await insert(areaOf(anna)), await insert(areaOf(berta))];
      expect(await damage(other)).toHaveLength(1);
      await erase();
      expect([await versionsOf(own), (await versionsOf(other)).length]).toEqual([[], 1]);
    });

    const named = () => ({ reference: `Patient/${anna}`, display: WORDS });

    it('none is of another’s resource that names the patient: each of its versions keeps the bare reference', async () => {
      const performed = await insert(areaOf(berta, { performer: [named()] }));
      await replace<Observation>(performed, { valueQuantity: { ...VALUE, value: 9 } });
      const taken = await insert(photoOf(berta, { operator: named() }));
      // What names her in its past alone: that version is no packed one, and the next may be.
      const corrected = await insert(areaOf(berta, { performer: [named()] }));
      await replace<Observation>(corrected, { performer: [] });
      const before = [...(await textsOf(performed)), ...(await textsOf(taken)), (await textsOf(corrected))[0]!];
      for (const text of before) expect(text).toContain(WORDS);
      expect((await versionsOf(corrected))[1]!.packed).not.toBeNull();
      await erase();
      const after = [...(await textsOf(performed)), ...(await textsOf(taken)), (await textsOf(corrected))[0]!];
      expect(after).toHaveLength(before.length);
      for (const text of after) {
        expect(text).toContain(`"reference":"Patient/${anna}"`);
        expect(text).not.toContain('Anna');
      }
    });

    it('none is of another’s resource that names the patient by a number: the number goes', async () => {
      const told = await insert(areaOf(berta, { performer: [{ identifier: NUMBER, display: WORDS }] }));
      await erase();
      expect(await textsOf(told)).toEqual([expect.not.stringMatching(/4711|Anna/)]);
    });

    it('none is of a resource whose subject is the patient by a number alone: it goes', async () => {
      const own = await insert({ ...areaOf(anna), subject: { identifier: NUMBER } });
      await erase();
      expect(await versionsOf(own)).toEqual([]);
    });

    it.each(['packed', 'JSON'])(
      'are gone where they are from when the resource was the patient’s, and what it is now stays: %s',
      async (form) => {
        const [photo, finding] = [await insert(photoOf(anna)), await insert(areaOf(anna))];
        for (const one of [photo, finding])
          await replace(one, { subject: { reference: `Patient/${berta}` } } as Partial<Media & Observation>);
        if (form === 'JSON') for (const one of [photo, finding]) await unpack(one);
        await erase();
        for (const one of [photo, finding]) {
          const left = await versionsOf(one);
          expect(left.map(({ version, packed }) => [version, packed !== null])).toEqual([[2, true]]);
        }
      },
    );

    it.each(['packed', 'JSON'])('are gone with the patient’s own resources, past and present: %s', async (form) => {
      const own = await insert(areaOf(anna));
      await replace<Observation>(own, { status: 'amended' });
      if (form === 'JSON') await unpack(own);
      await erase();
      expect(await versionsOf(own)).toEqual([]);
    });

    it('are found by the second look, which knows the patient by ids alone', async () => {
      await erase();
      const late = await insert(areaOf(anna));
      await erase({ words: { numbers: [], names: [] } });
      expect(await versionsOf(late)).toEqual([]);
    });
  });

  it('leave nothing in the planner’s samples, which outlive them', async () => {
    for (let value = 0; value < 20; value += 1) await insert(areaOf(anna, { valueQuantity: { ...VALUE, value: 7 } }));
    await query('analyze fhir_versions');
    const sampled = await query<{ name: string }>(
      `select attname::text as name from pg_stats where schemaname = 'public' and tablename = 'fhir_versions' order by 1`,
    );
    const names = sampled.map(({ name }) => name);
    expect(names).toContain('status');
    for (const name of ['packed', 'patient_id']) expect(names).not.toContain(name);
  });

  it('are in their place by their status, among others that are JSON', async () => {
    const made: string[] = [];
    for (const [at, status] of (['final', 'amended', 'cancelled', 'final', 'amended'] as const).entries()) {
      const one = await insert(areaOf(anna, { status, effectiveDateTime: `2026-01-0${at + 1}` }));
      if (at % 2 === 1) await unpack(one);
      made.push(one.id!);
    }
    const sorted = await new Searching(ground).ids(tenant, 'Observation?_sort=status,date');
    expect(sorted.map((id) => made.indexOf(id))).toEqual([1, 4, 2, 0, 3]);
    const backwards = await new Searching(ground).ids(tenant, 'Observation?_sort=-status,date');
    expect(backwards.map((id) => made.indexOf(id))).toEqual([0, 3, 2, 1, 4]);
  });

  it('are in an export of patients where their subject is one, and fail it where they cannot be read', async () => {
    const made = [
      await insert(areaOf(anna)),
      await insert(areaOf(anna)),
      await insert({ ...areaOf(anna), subject: { reference: `Group/${v7()}` } }),
    ];
    await unpack(made[1]!);
    const numbers = await query<{ id: string; number: string }>(
      'select id, number::text as number from fhir_resources where organization_id = $1 and id = any($2::text[]) order by number',
      [tenant.organizationId, made.map(({ id }) => id)],
    );
    const exported = (subject: string | null) =>
      ground.inTenant(tenant, (transaction) =>
        new PastResources().at(transaction, numbers, new Date(Date.now() + 1000), { since: null, subject }),
      );
    const idsOf = (lines: readonly string[]) => lines.map((line) => (JSON.parse(line) as Resource).id);
    expect(idsOf(await exported(null))).toEqual(made.map(({ id }) => id));
    expect(idsOf(await exported('subject'))).toEqual(made.slice(0, 2).map(({ id }) => id));
    await damage(made[0]!);
    await expect(exported('subject')).rejects.toThrow(
      `Version 1 of the FHIR resource with fhir_resources.number ${numbers[0]!.number} is damaged`,
    );
  });

  it('are what a deleted resource was before', async () => {
    const own = await insert(areaOf(anna));
    await ground.inTenant(tenant, async (transaction) => {
      const current = await ground.store.findToDelete(transaction, 'Observation', own.id!);
      await ground.store.delete(transaction, current!, CLIENT);
    });
    expect((await versionsOf(own))[0]!.packed).not.toBeNull();
    const deleted = await ground.inTenant(tenant, (transaction) =>
      ground.store.findDeleted(transaction, 'Observation', own.id!),
    );
    expect(deleted).toMatchObject({ isKnown: true, resource: own });
  });
});
