import type {
  DiagnosticReport,
  DocumentReference,
  Media,
  Observation,
  Patient,
  Reference,
  Resource,
  Task,
} from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { ImageErasure } from '../../../../src/core/erasure/image-erasure.js';
import type { HeldAction } from '../../../../src/core/held/held-item.js';
import { heldCursorText, readHeldCursor } from '../../../../src/core/held/held-source.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import { HeldPatients } from '../../../../src/doors/fhir/records/held-patients.js';
import { JobRepository } from '../../../../src/core/analysis/job.repository.js';
import { PatientRepository } from '../../../../src/core/patients/patient.repository.js';
import { ReportAssembly } from '../../../../src/core/report/report-assembly.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { AnalyzeOperation } from '../../../../src/doors/fhir/operations/analyze.operation.js';
import type { OutcomeError } from '../../../../src/standards/fhir/outcome/outcome-error.js';
import { AwaitedPatients } from '../../../../src/standards/fhir/store/awaited-patients.js';
import { eventually } from '../../../support/eventually.js';
import { lockWaitsOf } from '../../../support/lock-waits.js';
import { BASE, IntakeGround, photoData } from '../../../support/intake-ground.js';
import { mediaOf, orderOf, PATIENT_NUMBERS, patientOf, woundOf } from '../../../support/intake-resources.js';
import { drawResult } from '../../../support/wound-results.js';

const LOCAL = 'https://sutura.dev/fhir/CodeSystem/wound-observation';
const ELSEWHERE = 'https://ehr.example/fhir/Patient/77';

let ground: IntakeGround;
let caller: Caller;

beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller();
});

const numbered = (value: string): Reference<Patient> => ({
  type: 'Patient',
  identifier: { system: PATIENT_NUMBERS, value },
});
const held = { status: 'on-hold', statusReason: { coding: [{ code: 'patient-unknown' }] } };
const idOf = async (resource: Resource) => (await ground.post(caller, resource)).resource.id!;
const photo = async (subject?: Reference<Patient>, more: Partial<Media> = {}, seed = 1) =>
  mediaOf({ data: await photoData(seed) }, {}, { ...(subject === undefined ? {} : { subject }), ...more });
const scaleOf = (mediaId: string, subject?: Reference<Patient>): Observation =>
  ({
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ system: LOCAL, code: 'pixel-spacing' }] },
    ...(subject === undefined ? {} : { subject }),
    valueQuantity: { value: 0.2, unit: 'mm/pixel', system: 'http://unitsofmeasure.org', code: 'mm/{pixel}' },
    derivedFrom: [{ reference: `Media/${mediaId}` }],
  }) as Observation;
const analyze = async (mediaId: string): Promise<Task> => {
  const answer = await ground.operate(ground.get(AnalyzeOperation), caller, mediaId, { resourceType: 'Parameters' });
  return (answer.body as { resource: Task }).resource;
};
const taskOf = (id: string) => ground.find<Task>(caller, 'Task', id);
const waiting = () =>
  ground.within(caller, ({ transaction }) =>
    ground.get(AwaitedPatients).page(transaction, { after: null, olderThanS: null, limit: 50 }),
  );
/** The patient is known by another door. */
const register = (value: string) =>
  ground.within(caller, ({ transaction }) =>
    ground.get(PatientRepository).register(transaction, [{ system: PATIENT_NUMBERS, value }], v7()),
  );

async function finish(jobId: string): Promise<string> {
  const jobs = ground.get(JobRepository);
  const claimed = await jobs.claim(60, jobId);
  await jobs.complete(claimed!.lease, drawResult());
  await ground.get(ReportAssembly).assemble(caller, jobId);
  await ground.relay();
  return claimed!.job.reportId;
}

async function refusal(attempt: Promise<unknown>): Promise<{ code: string; at: readonly string[] }> {
  try {
    await attempt;
  } catch (fault) {
    const { code, issues = [] } = fault as OutcomeError;
    return { code, at: issues.map(({ expression }) => expression) };
  }
  throw new Error('It was taken.');
}

describe('a reference that R4 does not know', () => {
  it.each<[string, (id: string) => string]>([
    ['with a query', (id) => `Patient/${id}?x=1`],
    ['with a fragment', (id) => `Patient/${id}#x`],
    ['with a blank', (id) => `Patient/ ${id}`],
    ['of more parts', (id) => `fhir/Patient/${id}`],
    ['into this server with a query', (id) => `${BASE}/Patient/${id}?x=1`],
    ['of a type alone', () => 'Patient'],
    ['of a scheme alone', () => 'http://'],
  ])('%s is refused at its place', async (_, write) => {
    const anna = await idOf(patientOf('A'));
    const reference = { reference: write(anna) };
    const found = await refusal(photo(reference).then((media) => ground.post(caller, media)));
    expect(found.at).toEqual(['Media.subject.reference']);
  });

  it('is refused for a version that the patient does not have', async () => {
    const anna = await idOf(patientOf('A'));
    expect(
      await refusal(photo({ reference: `Patient/${anna}/_history/9` }).then((media) => ground.post(caller, media))),
    ).toEqual({ code: 'fhir.reference', at: ['Media.subject.reference'] });
  });

  it.each<[string, (id: string) => string]>([
    ['/Patient/[id]', (id) => `/Patient/${id}`],
    ['Patient/[id]/', (id) => `Patient/${id}/`],
    ['[base]//Patient/[id]', (id) => `${BASE}//Patient/${id}`],
  ])('is not %s, which is read as Patient/[id]', async (_, write) => {
    const anna = await idOf(patientOf('A'));
    const { resource } = await ground.post(caller, await photo({ reference: write(anna) }));
    expect(resource.subject).toEqual({ reference: `Patient/${anna}` });
  });
});

describe('a finding of somebody who is not known here', () => {
  it.each<[string, Reference<Patient>]>([
    ['by number', numbered('NOBODY')],
    ['by an address', { reference: ELSEWHERE }],
    ['by an address and a number', { reference: ELSEWHERE, ...numbered('NOBODY') }],
  ])('%s is refused for the photo of somebody who is', async (_, subject) => {
    const anna = await idOf(patientOf('A'));
    const media = await idOf(await photo({ reference: `Patient/${anna}` }));
    expect(await refusal(ground.post(caller, scaleOf(media, subject)))).toEqual({
      code: 'fhir.business_rule',
      at: ['Observation.derivedFrom[0].reference'],
    });
  });

  it('is refused for the photo of somebody else who is not known either', async () => {
    const media = await idOf(await photo(numbered('ONE')));
    expect(await refusal(ground.post(caller, scaleOf(media, numbered('OTHER'))))).toMatchObject({
      code: 'fhir.business_rule',
    });
  });

  it('is taken for a photo of the same number, and counts once the patient has come', async () => {
    const media = await idOf(await photo(numbered('A')));
    await ground.post(caller, scaleOf(media, numbered('A')));
    const task = await analyze(media);
    await register('A');
    await ground.relay();
    expect(await ground.jobs(caller)).toMatchObject([{ id: task.id, mmPerPixel: 0.2 }]);
  });

  it('is taken without anybody', async () => {
    const anna = await idOf(patientOf('A'));
    const media = await idOf(await photo({ reference: `Patient/${anna}` }));
    expect((await ground.post(caller, scaleOf(media))).version).toBe(1);
  });
});

describe('a photo whose patient is stated by a number', () => {
  it('is refused where the numbers are two patients’, and where it states another person than the one who has the number', async () => {
    await ground.post(
      caller,
      patientOf('A', { birthDate: '1950-01-01', name: [{ family: 'Muster', given: ['Anna'] }] }),
    );
    await ground.post(caller, patientOf('B'));
    const contained = (more: Partial<Patient>): Partial<Media> => ({
      contained: [{ ...patientOf('A'), id: 'p', ...more }],
    });
    const both = contained({ identifier: ['A', 'B'].map((value) => ({ system: PATIENT_NUMBERS, value })) });
    const send = async (more: Partial<Media>) => ground.post(caller, await photo({ reference: '#p' }, more));
    expect(await refusal(send(both))).toEqual({ code: 'fhir.business_rule', at: ['Media.subject'] });
    expect(await refusal(send(contained({ birthDate: '1999-09-09' })))).toMatchObject({ code: 'identity.conflict' });
  });

  it('is refused beside a reference to another patient, and not beside one to a record that was joined into theirs', async () => {
    const [anna, ben] = [await idOf(patientOf('A')), await idOf(patientOf('B'))];
    const beside = (id: string, value: string) => photo({ reference: `Patient/${id}`, ...numbered(value) });
    expect(await refusal(beside(anna, 'B').then((media) => ground.post(caller, media)))).toEqual({
      code: 'fhir.business_rule',
      at: ['Media.subject.identifier'],
    });
    const { resource } = await ground.post(caller, await beside(anna, 'A'));
    const link: Patient['link'] = [{ other: { reference: `Patient/${ben}` }, type: 'replaced-by' }];
    await ground.put<Patient>(caller, { ...(await ground.find<Patient>(caller, 'Patient', anna)), link });
    const sentAgain = await ground.put<Media>(caller, {
      ...(await ground.find<Media>(caller, 'Media', resource.id!)),
      note: [{ text: 'left' }],
    });
    expect(sentAgain.subject).toEqual({ reference: `Patient/${ben}`, ...numbered('A') });
  });

  it.each<[string, (value: string) => [Reference<Patient>, Partial<Media>]]>([
    ['alone', (value) => [numbered(value), {}]],
    ['beside the address of another server', (value) => [{ reference: ELSEWHERE, ...numbered(value) }, {}]],
    ['in a Patient within it', (value) => [{ reference: '#p' }, { contained: [{ ...patientOf(value), id: 'p' }] }]],
  ])('%s is filed under the one who has it', async (_, write) => {
    const anna = await idOf(patientOf('A'));
    const [subject, more] = write('A');
    const { resource } = await ground.post(caller, await photo(subject, more));
    expect(resource.subject).toMatchObject({ reference: `Patient/${anna}` });
    expect(resource.contained).toBeUndefined();
    expect(await waiting()).toEqual([]);
  });

  it('is filed under a patient who came by another door, and is shown with it', async () => {
    const anna = await register('A');
    const { resource } = await ground.post(caller, await photo(numbered('A')));
    expect(resource.subject?.reference).toBe(`Patient/${anna}`);
    expect(await ground.find<Patient>(caller, 'Patient', anna!)).toMatchObject({ identifier: [{ value: 'A' }] });
  });

  it('waits where nobody has it, is charged nothing, and says in its Task what to do', async () => {
    const media = await idOf(await photo(numbered('A')));
    const task = await analyze(media);
    expect(task).toMatchObject(held);
    expect(task.statusReason?.text).toContain('Send the Patient');
    expect(await analyze(media)).toMatchObject({ id: task.id });
    expect(await ground.jobs(caller)).toEqual([]);
    expect(await ground.count('quota_usage', caller)).toBe(0);
    expect(await waiting()).toMatchObject([{ type: 'Media', id: media }]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['over FHIR', () => ground.post(caller, patientOf('A'))],
    ['by another door', () => register('A')],
    [
      'with a further number of a patient who is known',
      async () => {
        const id = (await register('FIRST'))!;
        await ground.within(caller, ({ transaction }) =>
          ground.get(PatientRepository).extend(transaction, id, [{ system: PATIENT_NUMBERS, value: 'A' }]),
        );
      },
    ],
  ])('goes on by itself once the patient comes %s', async (_, come) => {
    const media = await idOf(await photo(numbered('A')));
    const task = await analyze(media);
    await come();
    await ground.relay();
    const [job] = await ground.jobs(caller);
    expect(job).toMatchObject({ id: task.id, status: 'queued', subject: { patientSystem: PATIENT_NUMBERS } });
    const now = await taskOf(task.id!);
    expect(now).toMatchObject({ status: 'accepted', for: { reference: `Patient/${job!.patientId}` } });
    expect(now.statusReason).toBeUndefined();
    const subject = { reference: `Patient/${job!.patientId}`, ...numbered('A') };
    expect((await ground.find<Media>(caller, 'Media', media)).subject).toEqual(subject);
    expect(await waiting()).toEqual([]);
    await finish(job!.id);
    expect(await taskOf(task.id!)).toMatchObject({ status: 'completed' });
  });

  it('goes on by itself where its patient comes at the moment at which it is kept', async () => {
    const sent = await photo(numbered('MRN-9'));
    let kept: Promise<string> | undefined;
    await ground.within(caller, async ({ transaction }) => {
      await ground.get(PatientRepository).register(transaction, [{ system: PATIENT_NUMBERS, value: 'MRN-9' }], v7());
      kept = idOf(sent);
      const isHeldUp = async () => (await lockWaitsOf(ground.database.url)) > 0;
      await Promise.race([kept, eventually('it waits for the patient', isHeldUp)]);
    });
    const mediaId = await kept!;
    await ground.relay();
    const { subject } = await ground.find<Media>(caller, 'Media', mediaId);
    expect([subject?.reference, await waiting()]).toEqual([expect.stringMatching(/^Patient\//), []]);
  });

  it('goes on once its sender names a known patient instead', async () => {
    const { resource } = await ground.post(caller, await photo({ reference: ELSEWHERE }));
    const task = await analyze(resource.id!);
    expect(task).toMatchObject(held);
    const anna = await idOf(patientOf('A'));
    await ground.put(caller, { ...resource, subject: { reference: `Patient/${anna}` } });
    expect(await taskOf(task.id!)).toMatchObject({ status: 'accepted' });
    expect(await ground.jobs(caller)).toMatchObject([{ id: task.id, patientId: anna }]);
    expect(await waiting()).toEqual([]);
  });

  it('is refused where it names the wound of somebody who is known', async () => {
    const anna = await idOf(patientOf('A'));
    const wound = await idOf(woundOf(anna));
    const { extension } = mediaOf({}, { woundId: wound });
    expect(
      await refusal(photo(numbered('B'), { extension: extension! }).then((media) => ground.post(caller, media))),
    ).toEqual({ code: 'fhir.business_rule', at: ['Media.extension[0].valueReference.reference'] });
  });

  it('is refused at once where it cannot be analysed, whoever it is of', async () => {
    const broken = (await photoData()).slice(0, 4000);
    const media = mediaOf({ data: broken }, {}, { subject: numbered('A') });
    expect(await refusal(ground.post(caller, media))).toMatchObject({ code: expect.stringMatching(/image/) as string });
  });

  it('waits as a DocumentReference, too', async () => {
    const attachment = { contentType: 'image/jpeg', data: await photoData(5) };
    const document = await idOf({
      resourceType: 'DocumentReference',
      status: 'current',
      type: { coding: [{ system: 'http://loinc.org', code: '72170-4' }] },
      subject: numbered('A'),
      content: [{ attachment }],
    } as DocumentReference);
    const anna = await idOf(patientOf('A'));
    await ground.relay();
    expect((await ground.find<DocumentReference>(caller, 'DocumentReference', document)).subject?.reference).toBe(
      `Patient/${anna}`,
    );
  });
});

describe('the list of what waits for a person', () => {
  const source = () => ground.get(HeldPatients);
  const open = () =>
    ground.within(caller, ({ transaction }) =>
      source().open(transaction, { reason: null, olderThanS: null, after: null, limit: 50 }),
    );
  const resolve = async (action: HeldAction, to?: string) => {
    const [item] = await open();
    await source().resolve(caller, item!, { action, ...(to === undefined ? {} : { to }) }, { name: 'key-1' });
  };

  it('keeps what no known patient is named for', async () => {
    await ground.post(caller, await photo(numbered('A')));
    await expect(resolve('link')).rejects.toMatchObject({ code: 'request.invalid' });
    await expect(resolve('link', `Patient/${v7()}`)).rejects.toMatchObject({ code: 'request.invalid' });
    expect(await open()).toHaveLength(1);
  });

  it('has each photo and order, oldest first, with what can be done', async () => {
    const media = await idOf(await photo({ reference: ELSEWHERE }));
    const order = await idOf(orderOf('', { subject: numbered('A') }));
    const items = await open();
    expect(items).toMatchObject([
      { reason: 'patient_unknown', door: 'fhir', came: { imageIds: [media] }, actions: ['link', 'discard'] },
      { came: { resources: [`ServiceRequest/${order}`], orders: [order] } },
    ]);
    const rest = await ground.within(caller, ({ transaction }) =>
      source().open(transaction, { reason: null, olderThanS: null, after: items[0]!, limit: 50 }),
    );
    expect(rest).toEqual([items[1]]);
    expect(readHeldCursor(heldCursorText(items[0]!))).toMatchObject({ id: items[0]!.id });
    const older = await ground.within(caller, ({ transaction }) =>
      source().open(transaction, { reason: null, olderThanS: 3600, after: null, limit: 50 }),
    );
    expect(older).toEqual([]);
    const found = await ground.within(caller, ({ transaction }) => source().find(transaction, items[1]!.id));
    expect(found).toEqual(items[1]);
    const counts = await ground.get(UnitOfWork).inSystem((transaction) => source().count(transaction));
    expect(counts.find(({ organizationId }) => organizationId === caller.organizationId)).toMatchObject({ items: 2 });
  });

  it('files what a person names the patient of, and lets its analysis begin', async () => {
    const media = await idOf(await photo({ reference: ELSEWHERE }));
    const task = await analyze(media);
    const anna = await idOf(patientOf('A'));
    await resolve('link', `Patient/${anna}`);
    expect(await ground.jobs(caller)).toMatchObject([{ id: task.id, patientId: anna }]);
    expect((await ground.find<Media>(caller, 'Media', media)).subject).toEqual({ reference: `Patient/${anna}` });
    expect(await open()).toEqual([]);
  });

  it('strikes off an order that is revoked, and a photo that is deleted, whose Tasks end', async () => {
    const { resource } = await ground.post(caller, orderOf('', { subject: numbered('A') }));
    const media = await idOf(await photo(numbered('A')));
    const task = await analyze(media);
    expect(await open()).toHaveLength(2);
    await ground.put(caller, { ...resource, status: 'revoked' });
    await ground.get(ImageErasure).erase(caller, media);
    await ground.relay();
    expect(await open()).toEqual([]);
    expect((await ground.tasks(caller)).map(({ id, status }) => [id === task.id, status])).toEqual([
      [false, 'cancelled'],
      [true, 'rejected'],
    ]);
  });

  it('strikes off what a person discards, whose Task ends', async () => {
    const media = await idOf(await photo(numbered('A')));
    const task = await analyze(media);
    await resolve('discard');
    expect(await taskOf(task.id!)).toMatchObject({ status: 'cancelled' });
    expect(await open()).toEqual([]);
    await register('A');
    await ground.relay();
    expect(await ground.jobs(caller)).toEqual([]);
  });
});

describe('an order whose patient is stated by a number', () => {
  it('waits with the photo that comes for it, and goes on by itself', async () => {
    const order = await idOf(orderOf('', { subject: numbered('A') }));
    await ground.post(caller, await photo(undefined, { basedOn: [{ reference: `ServiceRequest/${order}` }] }));
    const [task] = await ground.tasks(caller);
    expect(task).toMatchObject(held);
    await register('A');
    await ground.relay();
    expect(await ground.jobs(caller)).toMatchObject([{ id: task!.id, subject: { patientId: 'A' } }]);
    expect(await taskOf(task!.id!)).toMatchObject({ status: 'accepted' });
  });

  it('waits for its photo once its patient has come before that', async () => {
    const order = await idOf(orderOf('', { subject: numbered('A') }));
    await register('A');
    await ground.relay();
    const [task] = await ground.tasks(caller);
    expect(task!.status).toBe('received');
    expect(task!.statusReason).toBeUndefined();
    await ground.post(caller, await photo(numbered('A'), { basedOn: [{ reference: `ServiceRequest/${order}` }] }));
    expect(await ground.jobs(caller)).toMatchObject([{ id: task!.id }]);
  });

  it('is refused with the photo of somebody who is known', async () => {
    const media = await idOf(await photo({ reference: `Patient/${await idOf(patientOf('A'))}` }));
    const order = orderOf('', { subject: { reference: ELSEWHERE }, supportingInfo: [{ reference: `Media/${media}` }] });
    expect(await refusal(ground.post(caller, order))).toEqual({
      code: 'fhir.business_rule',
      at: ['ServiceRequest.supportingInfo[0].reference'],
    });
  });

  it('says that it is on hold where it is, and goes on after that', async () => {
    const anna = await idOf(patientOf('A'));
    const { resource } = await ground.post(caller, orderOf(anna));
    await ground.put(caller, { ...resource, status: 'on-hold' });
    const [task] = await ground.tasks(caller);
    expect(task).toMatchObject({ status: 'on-hold', statusReason: { coding: [{ code: 'order-on-hold' }] } });
    await ground.put(caller, { ...resource, status: 'active' });
    const [now] = await ground.tasks(caller);
    expect(now!.status).toBe('received');
    expect(now!.statusReason).toBeUndefined();
  });
});

describe('a photo of nobody', () => {
  it.each<[string, Reference<Patient> | undefined]>([
    ['without a subject', undefined],
    ['with a name alone', { display: 'Example Person' }],
  ])('%s is analysed, and its Task leads to a report without a subject', async (_, subject) => {
    const media = await idOf(await photo(subject));
    const task = await analyze(media);
    const reportId = await finish(task.id!);
    expect(await taskOf(task.id!)).toMatchObject({
      status: 'completed',
      output: [{ valueReference: { reference: `DiagnosticReport/${reportId}` } }],
    });
    const report = await ground.find<DiagnosticReport>(caller, 'DiagnosticReport', reportId);
    expect(report.subject).toBeUndefined();
    expect(report.media?.[0]?.link).toEqual({ reference: `Media/${media}` });
    const panel = report.result![0]!.reference!.slice('Observation/'.length);
    expect(await ground.find<Observation>(caller, 'Observation', panel)).not.toHaveProperty('subject');
    expect(await waiting()).toEqual([]);
  });
});
