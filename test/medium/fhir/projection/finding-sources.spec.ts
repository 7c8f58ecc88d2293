import type { Observation, Provenance, Reference, Resource } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import type { ClinicianObservations } from '../../../../src/core/analysis/clinician-observations.js';
import type { ClinicalReport } from '../../../../src/core/report/clinical-report.js';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { WOUND } from '../../../support/follow-up-context.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { ProjectionGround } from './projection-ground.js';

const NURSE: Reference = { reference: `Practitioner/${v7()}`, display: 'Nurse Example' };
const DOCTOR: Reference = { identifier: { system: 'urn:oid:2.999.7', value: 'D1' }, display: 'Dr. Example' };
const CM = { unit: 'cm', system: 'http://unitsofmeasure.org', code: 'cm' };

const loinc = (code: string) => ({ coding: [{ system: 'http://loinc.org', code }] });
const depthOf = (value: number): Partial<Observation> => ({
  code: loinc('39127-6'),
  valueQuantity: { value, ...CM },
});
const tunnelOf = (clock: number, value: number): Partial<Observation> => ({
  code: loinc('72296-7'),
  valueQuantity: { value, ...CM },
  component: [{ code: loinc('72297-5'), valueInteger: clock }],
});

describe('what a report copies from a clinician', () => {
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

  const assessed = (observations: ClinicianObservations) =>
    ground.followUp.assess(tenant, 0, 9, WOUND, {}, { observations });
  /** A clinician's Observation of the report's photo. */
  const stated = async ({ imageId }: ClinicalReport, more: Partial<Observation>) => {
    const observation = { resourceType: 'Observation', id: v7(), status: 'final' } as Observation;
    const derivedFrom = [{ reference: `Media/${imageId}` }];
    return (await ground.insert<Observation>(tenant, { ...observation, derivedFrom, ...more })).resource;
  };
  const copyOf = ({ id }: ClinicalReport, kind: string) =>
    ground.read<Observation>(tenant, 'Observation', `${id}-stated-${kind}`);
  const organization = () => [{ reference: `Organization/${tenant.organizationId}` }];
  const provenanceOf = ({ id, version }: ClinicalReport) =>
    ground.read<Provenance>(tenant, 'Provenance', `${id}-v${version}`);
  const faults = async () => (await ground.faultsOf(tenant)).filter(([, found]) => found.length > 0);

  describe('has no author of whom nobody knows', () => {
    it('where it was stated over the native API', async () => {
      const report = await assessed({ depthCm: 0.4 });
      await ground.deliver(tenant);
      const copy = await copyOf(report, 'depth');
      expect(copy.performer).toEqual(organization());
      expect(copy.derivedFrom).toBeUndefined();
    });

    it('where an Observation of the photo says another value', async () => {
      const report = await assessed({ depthCm: 0.4 });
      await stated(report, { ...depthOf(0.9), performer: [NURSE] as never });
      await ground.deliver(tenant);
      expect((await copyOf(report, 'depth')).performer).toEqual(organization());
    });

    it('where the Observation is another patient’s', async () => {
      const report = await assessed({ depthCm: 0.4 });
      const subject = { reference: `Patient/${v7()}` };
      await stated(report, { ...depthOf(0.4), performer: [NURSE] as never, subject });
      await ground.deliver(tenant);
      expect((await copyOf(report, 'depth')).derivedFrom).toBeUndefined();
    });
  });

  it('keeps its author and names its source, in the Provenance too', async () => {
    const report = await assessed({ depthCm: 0.4 });
    const source = await stated(report, { ...depthOf(0.4), performer: [NURSE, DOCTOR] as never });
    await ground.deliver(tenant);
    const reference = { reference: `Observation/${source.id!}` };
    expect(await copyOf(report, 'depth')).toMatchObject({ performer: [NURSE, DOCTOR], derivedFrom: [reference] });
    const { agent, entity } = await provenanceOf(report);
    expect(agent.slice(1).map(({ who }) => who)).toEqual([...organization(), NURSE, DOCTOR]);
    expect(entity).toContainEqual({ role: 'source', what: reference });
    expect(await ground.read<Observation>(tenant, 'Observation', `${report.id}-area`)).toMatchObject({
      performer: organization(),
      derivedFrom: [{ reference: `Media/${report.imageId}` }],
    });
    expect((await faults()).filter(([name]) => name.includes(report.id))).toEqual([]);
  });

  it('in millimetres is the same statement', async () => {
    const report = await assessed({ depthCm: 0.4 });
    await stated(report, {
      ...depthOf(0),
      valueQuantity: { value: 4, ...CM, unit: 'mm', code: 'mm' },
      performer: [NURSE] as never,
    });
    await ground.deliver(tenant);
    expect((await copyOf(report, 'depth')).performer).toEqual([NURSE]);
  });

  it('names the last of those who said the same', async () => {
    const report = await assessed({ depthCm: 0.4 });
    await stated(report, { ...depthOf(0.4), performer: [DOCTOR] as never, effectiveDateTime: '2025-01-06T08:00:00Z' });
    await stated(report, { ...depthOf(0.4), performer: [NURSE] as never, effectiveDateTime: '2025-01-06T08:30:00Z' });
    await ground.deliver(tenant);
    expect((await copyOf(report, 'depth')).performer).toEqual([NURSE]);
  });

  it('of several tunnels has for each its own author', async () => {
    const report = await assessed({
      tunnelling: [
        { clock: 3, depthCm: 1 },
        { clock: 9, depthCm: 2 },
      ],
    });
    await stated(report, { ...tunnelOf(9, 2), performer: [DOCTOR] as never });
    await stated(report, { ...tunnelOf(3, 1), performer: [NURSE] as never });
    await ground.deliver(tenant);
    const performers = await Promise.all([1, 2].map(async (n) => (await copyOf(report, `tunnelling-${n}`)).performer));
    expect(performers).toEqual([[NURSE], [DOCTOR]]);
  });

  it('names an author who stands in the Observation itself by number and name', async () => {
    const report = await assessed({ depthCm: 0.4 });
    const inside = {
      resourceType: 'Practitioner',
      id: 'p1',
      identifier: [{ system: 'urn:oid:2.999.7', value: 'N7' }],
      name: [{ prefix: ['Sr.'], given: ['Petra'], family: 'Pflege' }],
    } as Resource;
    await stated(report, { ...depthOf(0.4), contained: [inside], performer: [{ reference: '#p1' }] as never });
    await ground.deliver(tenant);
    expect((await copyOf(report, 'depth')).performer).toEqual([
      { type: 'Practitioner', identifier: { system: 'urn:oid:2.999.7', value: 'N7' }, display: 'Sr. Petra Pflege' },
    ]);
  });

  it('names a team in the Provenance by its name, as R4 takes none as an agent', async () => {
    const report = await assessed({ depthCm: 0.4 });
    const team = { reference: 'https://ehr.example/fhir/CareTeam/1', display: 'Wound team' };
    await stated(report, { ...depthOf(0.4), performer: [team] as never });
    await ground.deliver(tenant);
    expect((await copyOf(report, 'depth')).performer).toEqual([team]);
    expect((await provenanceOf(report)).agent.at(-1)?.who).toEqual({ display: 'Wound team' });
  });

  it('keeps its author in a later version, although the Observation was corrected meanwhile', async () => {
    const report = await assessed({ depthCm: 0.4 });
    const source = await stated(report, { ...depthOf(0.4), performer: [NURSE] as never });
    await ground.deliver(tenant);
    await ground.within(tenant, async (transaction) => {
      const current = await ground.store.findForUpdate<Observation>(transaction, 'Observation', source.id!);
      const next = { ...current!.resource, valueQuantity: { value: 0.7, ...CM } };
      await ground.store.replace(transaction, current!, next, { kind: 'client', keyId: v7() });
    });
    const accepted = await ground.followUp.review(tenant, report, { decision: 'accept' });
    await ground.deliver(tenant);
    const copy = await copyOf(report, 'depth');
    expect(copy).toMatchObject({ status: 'final', performer: [NURSE] });
    expect(copy.derivedFrom).toEqual([{ reference: `Observation/${source.id!}` }]);
    expect((await provenanceOf(accepted)).agent.at(-1)?.who).toEqual(NURSE);
  });

  it('is no longer the nurse’s word once a review states another value', async () => {
    const report = await assessed({ depthCm: 0.4 });
    await stated(report, { ...depthOf(0.4), performer: [NURSE] as never });
    await ground.deliver(tenant);
    await ground.followUp.review(tenant, report, { decision: 'correct', observations: { depthCm: 0.8 } });
    await ground.deliver(tenant);
    const copy = await copyOf(report, 'depth');
    expect(copy.valueQuantity?.value).toBe(0.8);
    expect(copy.derivedFrom).toBeUndefined();
    expect(copy.performer).not.toContainEqual(NURSE);
  });
});
