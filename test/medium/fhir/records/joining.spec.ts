import type {
  BodyStructure,
  Bundle,
  DiagnosticReport,
  Media,
  Observation,
  Patient,
  Provenance,
  Resource,
  Task,
} from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { JobRepository } from '../../../../src/core/analysis/job.repository.js';
import { Outbox } from '../../../../src/core/domain-events/outbox.js';
import { ReportAssembly } from '../../../../src/core/report/report-assembly.js';
import { ReportReader } from '../../../../src/core/report/report-reader.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { FhirRecords } from '../../../../src/doors/fhir/records/fhir-records.js';
import { ResourceSearch } from '../../../../src/doors/fhir/search/resource-search.js';
import { ResourceValidator } from '../../../../src/standards/fhir/validation/resource-validator.js';
import { IntakeGround, photoData } from '../../../support/intake-ground.js';
import { mediaOf, orderOf, PATIENT_NUMBERS, patientOf, woundOf } from '../../../support/intake-resources.js';
import { takeEvents } from '../../../support/outbox-events.js';
import { drawResult, squareOf } from '../../../support/wound-results.js';

let ground: IntakeGround;
let caller: Caller;
beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller();
});

const number = (value: string) => ({ system: PATIENT_NUMBERS, value });
const JOIN = { survivor: [number('NEW')], prior: [number('OLD')] };
const EMPTY = { resourceType: 'Bundle', type: 'transaction' } as Bundle;
const apply = (bundle: Bundle = EMPTY, joins: (typeof JOIN)[] = [JOIN]) =>
  ground.get(FhirRecords).apply(caller, bundle, {
    requestId: 'm-1',
    quota: 'wait',
    waitingOrders: [],
    newPhotos: [],
    newOrders: [],
    joins: joins.map((join) => ({ ...join, demographics: {} })),
    within: () => Promise.resolve(),
  });
const search = <T extends Resource>(type: T['resourceType'], criteria: string) =>
  ground.within(caller, async (call) =>
    (await ground.get(ResourceSearch).match(call, type, criteria, 50)).map(({ resource }) => resource as T),
  );

/** A patient with an order, its photo and the report of it. */
async function assessed(mrn: string, seed: number, day: number, areaCm2: number, more: Partial<Patient> = {}) {
  const patient = (await ground.post(caller, patientOf(mrn, more))).resource.id!;
  return {
    patient,
    ...(await photographed(patient, (await ground.post(caller, woundOf(patient))).resource.id!, seed, day, areaCm2)),
  };
}

async function photographed(patient: string, wound: string, seed: number, day: number, areaCm2: number) {
  const order = (await ground.post(caller, orderOf(patient))).resource.id!;
  const links = { patientId: patient, woundId: wound, orderId: order };
  const photo = (
    await ground.post(
      caller,
      mediaOf({ data: await photoData(seed) }, links, { createdDateTime: `2026-03-0${day}T10:00:00Z` }),
    )
  ).resource.id!;
  const job = (await ground.jobs(caller)).find(({ imageId }) => imageId === photo)!;
  const claimed = await ground.get(JobRepository).claim(60, job.id);
  await ground.get(JobRepository).complete(claimed!.lease, drawResult(squareOf(areaCm2)));
  await ground.get(ReportAssembly).assemble(caller, job.id);
  await ground.relay();
  return { wound, order, photo, job: job.id, report: job.reportId };
}

describe('a join of two patients’ records', () => {
  it('is refused where the identifiers that stay are of two patients, and leaves nothing', async () => {
    await ground.post(caller, patientOf('NEW'));
    await ground.post(caller, patientOf('GP'));
    const before = await ground.count('fhir_versions', caller);
    await expect(
      apply(EMPTY, [{ survivor: [number('NEW'), number('GP')], prior: [number('OLD')] }]),
    ).rejects.toMatchObject({ code: 'fhir.duplicate' });
    expect(await ground.count('fhir_versions', caller)).toBe(before);
  });

  it('ends the one with a link to the other, where it is found by its number', async () => {
    const [survivor, prior] = [
      (await ground.post(caller, patientOf('NEW'))).resource.id!,
      (await ground.post(caller, patientOf('OLD'))).resource.id!,
    ];
    await apply();
    const link = (id: string, type: string) => [{ other: { reference: `Patient/${id}` }, type }];
    expect(await search<Patient>('Patient', `identifier=${PATIENT_NUMBERS}|OLD`)).toMatchObject([
      { id: prior, active: false, identifier: [{ value: 'OLD', use: 'old' }], link: link(survivor, 'replaced-by') },
    ]);
    expect(await search<Patient>('Patient', `identifier=${PATIENT_NUMBERS}|NEW`)).toMatchObject([
      { id: survivor, link: link(prior, 'replaces') },
    ]);
    expect(await ground.get(FhirRecords).findByIdentifier(caller, 'Patient', [number('OLD')])).toMatchObject([
      { id: survivor },
    ]);
  });

  it('leaves the birth date to a record that has none, so that a child’s result waits still', async () => {
    caller = await ground.createCaller('pro', { resultPolicy: 'auto-final' });
    const { report } = await assessed('OLD', 1, 1, 9, { birthDate: '2026-02-25' });
    const waits = { status: 'preliminary', content: { comparison: { ageGroup: 'newborn' } } };
    expect((await ground.get(ReportReader).read(caller, report)).report).toMatchObject(waits);
    await apply();
    await ground.relay();
    expect((await ground.get(ReportReader).read(caller, report)).report).toMatchObject(waits);
    expect(await search<Patient>('Patient', `identifier=${PATIENT_NUMBERS}|NEW`)).toMatchObject([
      { birthDate: '2026-02-25' },
    ]);
  });

  it('keeps the birth date that the record has, and has the photos of both compared by it', async () => {
    await ground.post(caller, patientOf('NEW', { birthDate: '1951-07-14' }));
    const { wound } = await assessed('OLD', 1, 1, 9, { birthDate: '2026-02-25' });
    await apply();
    expect(await search<Patient>('Patient', `identifier=${PATIENT_NUMBERS}|NEW`)).toMatchObject([
      { birthDate: '1951-07-14' },
    ]);
    const told = (await takeEvents(ground.get(Outbox))).filter(({ kind }) => kind === 'wound.related');
    expect(told.map(({ subjectId }) => subjectId)).toContain(wound);
  });

  it('moves everything to the survivor, each by a version, with one Provenance', async () => {
    const old = await assessed('OLD', 1, 1, 9);
    const survivor = (await ground.post(caller, patientOf('NEW'))).resource.id!;
    const finding = await ground.post(caller, {
      resourceType: 'Observation',
      status: 'final',
      code: { coding: [{ system: 'https://sutura.dev/fhir/CodeSystem/wound-observation', code: 'pixel-spacing' }] },
      subject: { reference: `Patient/${old.patient}` },
      valueQuantity: { value: 0.2, unit: 'mm/pixel', system: 'http://unitsofmeasure.org', code: 'mm/{pixel}' },
    } as Observation);
    await apply();
    const subject = { reference: `Patient/${survivor}` };
    for (const type of [
      'BodyStructure',
      'Media',
      'ServiceRequest',
      'Task',
      'Observation',
      'DiagnosticReport',
    ] as const) {
      expect([type, await search(type, `patient=Patient/${old.patient}`)]).toEqual([type, []]);
      const moved = await search(type, `patient=Patient/${survivor}`);
      expect(moved.length).toBeGreaterThan(0);
      expect(moved.map((resource) => Number(resource.meta?.versionId)).every((version) => version > 1)).toBe(true);
      expect(moved.flatMap((resource) => ground.get(ResourceValidator).validate(resource).issues)).toEqual([]);
    }
    expect(await ground.find<DiagnosticReport>(caller, 'DiagnosticReport', old.report)).toMatchObject({
      subject,
      meta: { versionId: '2' },
    });
    expect(await ground.find<BodyStructure>(caller, 'BodyStructure', old.wound)).toMatchObject({
      patient: subject,
      identifier: [{ value: 'W-1' }],
    });
    expect(await ground.find<Task>(caller, 'Task', old.job)).toMatchObject({ for: subject, status: 'completed' });
    const [provenance, ...more] = (await search<Provenance>('Provenance', `target=Patient/${old.patient}`)).filter(
      ({ target }) => target.some(({ reference }) => reference === `Media/${old.photo}`),
    );
    expect(more).toEqual([]);
    const targets = provenance!.target.map(({ reference }) => reference);
    expect(targets).toEqual(
      expect.arrayContaining([
        `Patient/${survivor}`,
        `Patient/${old.patient}`,
        `BodyStructure/${old.wound}`,
        `ServiceRequest/${old.order}`,
        `DiagnosticReport/${old.report}`,
        `Observation/${finding.resource.id}`,
      ]),
    );
    expect(ground.get(ResourceValidator).validate(provenance).issues).toEqual([]);
    expect(await ground.get(JobRepository).read(caller, old.job)).toMatchObject({ patientId: survivor });
  });

  it('makes wounds of one number one series, of which the wound that stays is found by the number', async () => {
    const [old, own] = [await assessed('OLD', 1, 1, 9), await assessed('NEW', 2, 2, 6)];
    await apply();
    await ground.relay();
    expect(await ground.find<BodyStructure>(caller, 'BodyStructure', old.wound)).toMatchObject({
      active: false,
      patient: { reference: `Patient/${own.patient}` },
      identifier: [{ value: 'W-1', use: 'old' }],
    });
    const conditional = {
      resource: woundOf(own.patient),
      request: {
        method: 'POST',
        url: 'BodyStructure',
        ifNoneExist: `patient=Patient/${own.patient}&identifier=urn:oid:1.2.3.4.5.8|W-1`,
      },
    };
    expect((await apply({ ...EMPTY, entry: [conditional] } as Bundle, [])).references).toEqual([
      `BodyStructure/${own.wound}`,
    ]);
    expect((await ground.find<Media>(caller, 'Media', old.photo)).extension).toMatchObject([
      { valueReference: { reference: `BodyStructure/${own.wound}` } },
    ]);
    const next = await photographed(own.patient, own.wound, 3, 3, 4);
    const { result = [] } = await ground.find<DiagnosticReport>(caller, 'DiagnosticReport', next.report);
    expect(result.length).toBeGreaterThan(0);
    expect(await ground.find<DiagnosticReport>(caller, 'DiagnosticReport', own.report)).toMatchObject({
      meta: { versionId: '2' },
    });
  });

  it('leaves a further number of a wound to the wound of the survivor that has it', async () => {
    const [prior, survivor] = [
      (await ground.post(caller, patientOf('OLD'))).resource.id!,
      (await ground.post(caller, patientOf('NEW'))).resource.id!,
    ];
    const numbers = ['W-8', 'W-9'].map((value) => ({ system: 'urn:oid:1.2.3.4.5.8', value }));
    const wound = (await ground.post(caller, woundOf(prior, null, { identifier: numbers }))).resource.id!;
    await ground.post(caller, woundOf(survivor, 'W-9'));
    await apply();
    expect(await ground.find<BodyStructure>(caller, 'BodyStructure', wound)).toMatchObject({
      patient: { reference: `Patient/${survivor}` },
      identifier: [numbers[0], { ...numbers[1], use: 'old' }],
    });
  });

  it('makes patients that nobody knew, the one that ends inactive, and takes what the message says of the other', async () => {
    const bundle = {
      ...EMPTY,
      entry: [{ resource: patientOf('NEW', { birthDate: '1951-07-14' }), request: { method: 'POST', url: 'Patient' } }],
    } as Bundle;
    const { references } = await apply(bundle);
    const [ended] = await search<Patient>('Patient', `identifier=${PATIENT_NUMBERS}|OLD`);
    expect(ended).toMatchObject({
      active: false,
      link: [{ other: { reference: references[0] }, type: 'replaced-by' }],
    });
    expect(await search<Patient>('Patient', `identifier=${PATIENT_NUMBERS}|NEW`)).toMatchObject([
      { birthDate: '1951-07-14', link: [{ other: { reference: `Patient/${ended!.id}` }, type: 'replaces' }] },
    ]);
  });

  it('makes the one that stays where the message only names it', async () => {
    await ground.post(caller, patientOf('OLD'));
    await apply();
    expect(await search<Patient>('Patient', `identifier=${PATIENT_NUMBERS}|NEW`)).toMatchObject([
      { identifier: [{ value: 'NEW' }], link: [{ type: 'replaces' }] },
    ]);
    expect(await search<Patient>('Patient', `identifier=${PATIENT_NUMBERS}|OLD`)).toHaveLength(1);
  });

  it('changes nothing when it is repeated', async () => {
    await assessed('OLD', 1, 1, 9);
    await apply();
    const before = await ground.count('fhir_versions', caller);
    await apply();
    expect(await ground.count('fhir_versions', caller)).toBe(before);
  });

  it('lets later requests with the old number reach the survivor, and refuses those that name the ended record', async () => {
    const prior = (await ground.post(caller, patientOf('OLD'))).resource.id!;
    const survivor = (await ground.post(caller, patientOf('NEW'))).resource.id!;
    await apply();
    const conditional = {
      resource: patientOf('OLD'),
      request: { method: 'POST', url: 'Patient', ifNoneExist: `identifier=${PATIENT_NUMBERS}|OLD` },
    };
    expect((await apply({ ...EMPTY, entry: [conditional] } as Bundle, [])).references).toEqual([`Patient/${survivor}`]);
    await ground.put(caller, patientOf('NEW', { id: survivor, identifier: [number('NEW'), number('OLD')] }));
    await expect(ground.post(caller, woundOf(prior))).rejects.toMatchObject({ code: 'fhir.business_rule' });
    await expect(
      ground.post(caller, mediaOf({ data: await photoData(4) }, { patientId: prior })),
    ).rejects.toMatchObject({ code: 'fhir.business_rule' });
    await expect(ground.post(caller, orderOf(prior))).rejects.toMatchObject({ code: 'fhir.business_rule' });
    await expect(ground.post(caller, patientOf('OLD', { id: v7() }))).rejects.toMatchObject({ code: 'fhir.duplicate' });
  });
});
