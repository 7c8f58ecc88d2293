import type { Condition, Media, Observation } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import type { AnalysisOptions } from '../../../../src/core/analysis/analysis-request.js';
import { AnalysisRequestRepository as OrderedRequests } from '../../../../src/core/analysis/analysis-request.repository.js';
import { JobRepository } from '../../../../src/core/analysis/job.repository.js';
import { ImageService } from '../../../../src/core/images/image.service.js';
import { ReportRepository } from '../../../../src/core/report/report.repository.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { WoundService } from '../../../../src/core/wounds/wound.service.js';
import { ResourceInteractions } from '../../../../src/doors/fhir/interactions/resource-interactions.js';
import { StageProjection } from '../../../../src/doors/fhir/projection/stage-projection.js';
import { ResourceSearch } from '../../../../src/doors/fhir/search/resource-search.js';
import { ResourceStore } from '../../../../src/standards/fhir/store/resource-store.js';
import { IntakeGround } from '../../../support/intake-ground.js';
import { mediaOf, orderOf, patientOf, woundOf } from '../../../support/intake-resources.js';

const BODY_SITE = 'http://hl7.org/fhir/StructureDefinition/bodySite';
const STATED_AT = 'https://sutura.dev/fhir/StructureDefinition/stage-stated-at';
const OWN = 'https://sutura.dev/fhir/CodeSystem/wound-observation';
const STATUS = 'http://terminology.hl7.org/CodeSystem/condition-ver-status';
const CLINICAL = 'http://terminology.hl7.org/CodeSystem/condition-clinical';

describe('a Condition with the stage of a wound', () => {
  let ground: IntakeGround;
  let caller: Caller;
  let patient: string;
  let wound: string;

  beforeAll(async () => {
    ground = await IntakeGround.open();
  });
  afterAll(() => ground?.close());
  beforeEach(async () => {
    caller = await ground.createCaller('pro', { timeZone: 'Europe/Berlin' });
    patient = (await ground.post(caller, patientOf())).resource.id!;
    wound = (await ground.post(caller, woundOf(patient))).resource.id!;
  });

  const summaryOf = (code: string) => ({ coding: [{ system: OWN, code }] });
  const condition = (code = 'stage-pressure-3', more: Partial<Condition> = {}): Condition => ({
    resourceType: 'Condition',
    extension: [{ url: BODY_SITE, valueReference: { reference: `BodyStructure/${wound}` } }],
    subject: { reference: `Patient/${patient}` },
    recordedDate: '2026-03-10T09:00:00+01:00',
    asserter: { display: 'Nurse Example' },
    stage: [{ summary: summaryOf(code) }],
    ...more,
  });
  const post = async (given: Condition) => (await ground.post(caller, given)).resource;
  const refusal = async (attempt: Promise<unknown>): Promise<string> => {
    try {
      await attempt;
      return 'none';
    } catch (fault) {
      const { code, issues } = fault as { code: string; issues?: { expression?: string; details: string }[] };
      return `${code} ${issues?.[0]?.expression ?? ''}: ${issues?.[0]?.details ?? ''}`;
    }
  };
  const photo = async (createdDateTime: string): Promise<string> => {
    const wanted = { contentType: null, contentLength: null, sha256: null };
    const { id } = (await ground.get(ImageService).requestUpload(caller, wanted)).image;
    const links = { patientId: patient, woundId: wound };
    await ground.post(caller, mediaOf({ url: `urn:sutura:image:${id}` }, links, { createdDateTime } as Partial<Media>));
    return id;
  };
  const optionsOf = async (imageId: string): Promise<AnalysisOptions> => {
    const find = ground.get(OrderedRequests);
    return (await ground.within(caller, ({ transaction }) => find.listOfImage(transaction, imageId)))[0]!.options;
  };
  const ordered = async (imageId: string): Promise<AnalysisOptions['clinicianObservations']> => {
    await ground.post(caller, orderOf(patient, { supportingInfo: [{ reference: `Media/${imageId}` }] }));
    return (await optionsOf(imageId)).clinicianObservations;
  };
  const observed = (code: string, effectiveDateTime: string) =>
    ground.post(caller, {
      resourceType: 'Observation',
      status: 'final',
      code: { coding: [{ system: OWN, code: 'wound-stage' }] },
      subject: { reference: `Patient/${patient}` },
      focus: [{ reference: `BodyStructure/${wound}` }],
      effectiveDateTime,
      valueCodeableConcept: summaryOf(code),
    } as Observation);
  const statedAt = ({ stage }: Condition) => stage?.[0]?.extension?.find(({ url }) => url === STATED_AT)?.valueDateTime;

  it.each<[string, Partial<Condition>, string]>([
    ['an unknown code', { stage: [{ summary: summaryOf('stage-pressure-5') }] }, 'Condition.stage[0].summary'],
    ['a bare figure', { stage: [{ summary: { text: '3' } }] }, 'Condition.stage[0].summary'],
    [
      'two stages',
      { stage: [{ summary: { text: 'Stage 3' } }, { summary: { text: 'Wagner 2' } }] },
      'Condition.stage[1]:',
    ],
    ['no day', { recordedDate: '2026-03' }, 'Condition.stage[0].extension'],
    ['a time to come', { recordedDate: '2096-03-10' }, 'capture.future Condition.stage[0]'],
  ])('is refused with its place: %s', async (_name, more, place) => {
    expect(await refusal(post(condition('stage-pressure-3', more)))).toContain(place);
    expect(await ground.count('fhir_resources', caller, `type = 'Condition'`)).toBe(0);
  });

  it('is refused of two wounds, and of another patient’s', async () => {
    const second = (await ground.post(caller, woundOf(patient, 'W-2'))).resource.id!;
    const other = (await ground.post(caller, patientOf('MRN-2'))).resource.id!;
    const strange = (await ground.post(caller, woundOf(other))).resource.id!;
    const named = (id: string) => ({ url: BODY_SITE, valueReference: { reference: `BodyStructure/${id}` } });
    const both = [named(wound), named(second)];
    expect(await refusal(post(condition('stage-pressure-3', { extension: both })))).toContain('Name one wound');
    expect(await refusal(post(condition('stage-pressure-3', { extension: [named(strange)] })))).toContain('another');
  });

  it('is kept as it is where it names no wound, whatever its stage', async () => {
    const tumour = condition('stage-pressure-3', {
      extension: undefined as never,
      stage: [{ summary: { text: 'T2' } }],
    });
    expect((await post(tumour)).stage).toEqual([{ summary: { text: 'T2' } }]);
  });

  it.each([
    ['stage-pressure-1', 'pressure', '1'],
    ['stage-pressure-4', 'pressure', '4'],
    ['stage-pressure-unstageable', 'pressure', 'unstageable'],
    ['stage-pressure-suspected-deep-tissue-injury', 'pressure', 'suspected_deep_tissue_injury'],
    ['stage-wagner-2', 'wagner', '2'],
    ['stage-texas-1b', 'texas', '1B'],
  ])('states it for the photo of its time: %s', async (code, system, value) => {
    await post(condition(code));
    expect(await ordered(await photo('2026-03-10T11:00:00+01:00'))).toEqual({
      stage: { system, value, statedBy: 'Nurse Example' },
    });
  });

  it('is read of a body site, in words, and of SNOMED CT’s former stages', async () => {
    const extension = [{ url: BODY_SITE, valueReference: { reference: `BodyStructure/${wound}` } }];
    await post(
      condition('', {
        extension: undefined as never,
        bodySite: [{ text: 'Heel', extension }],
        stage: [{ summary: { coding: [{ system: 'http://snomed.info/sct', code: '421927004' }], text: 'Stage III' } }],
      }),
    );
    expect(await ordered(await photo('2026-03-10T11:00:00+01:00'))).toMatchObject({
      stage: { system: 'pressure', value: '3' },
    });
  });

  it('holds for four weeks with its own time, and not before it was stated nor after', async () => {
    await post(condition());
    expect(await ordered(await photo('2026-03-08T11:00:00+01:00'))).toBeNull();
    expect(await ordered(await photo('2026-04-06T11:00:00+02:00'))).toEqual({
      stage: { system: 'pressure', value: '3', statedBy: 'Nurse Example' },
      statedAt: { stage: '2026-03-10T09:00:00+01:00' },
    });
    expect(await ordered(await photo('2026-04-09T11:00:00+02:00'))).toBeNull();
  });

  it('gives way to another’s later one: a Condition, or an Observation, though that is of no photo', async () => {
    await post(condition('stage-pressure-2'));
    await post(condition('stage-pressure-3', { recordedDate: '2026-03-12' }));
    expect(await ordered(await photo('2026-03-14T11:00:00+01:00'))).toMatchObject({ stage: { value: '3' } });
    await observed('stage-pressure-4', '2026-03-16T10:00:00+01:00');
    expect(await ordered(await photo('2026-03-18T11:00:00+01:00'))).toBeNull();
    expect(await ordered(await photo('2026-03-16T11:00:00+01:00'))).toMatchObject({ stage: { value: '4' } });
  });

  it.each<[string, Partial<Condition>]>([
    ['entered in error', { verificationStatus: { coding: [{ system: STATUS, code: 'entered-in-error' }] } }],
    ['refuted', { verificationStatus: { coding: [{ system: STATUS, code: 'refuted' }] } }],
    ['resolved', { clinicalStatus: { coding: [{ system: CLINICAL, code: 'resolved' }] } }],
  ])('states nothing where it is %s', async (_name, more) => {
    await post(condition('stage-pressure-3', more));
    expect(await ordered(await photo('2026-03-10T11:00:00+01:00'))).toBeNull();
  });

  it('reaches an analysis that has not begun, is corrected there, and withdrawn', async () => {
    const imageId = await photo('2026-03-10T11:00:00+01:00');
    expect(await ordered(imageId)).toBeNull();
    const made = await post(condition());
    expect((await optionsOf(imageId)).clinicianObservations).toMatchObject({ stage: { value: '3' } });
    await ground.put(
      caller,
      condition('stage-pressure-4', { id: made.id!, recordedDate: '2026-03-10T09:30:00+01:00' }),
    );
    expect((await optionsOf(imageId)).clinicianObservations).toMatchObject({ stage: { value: '4' } });
    const withdrawn = { coding: [{ system: STATUS, code: 'entered-in-error' }] };
    await ground.put(caller, condition('stage-pressure-4', { id: made.id!, verificationStatus: withdrawn }));
    expect((await optionsOf(imageId)).clinicianObservations).toBeNull();
  });

  it('keeps when its stage was stated: a later version with another stage is of the time when it came', async () => {
    const made = await post(condition());
    expect(statedAt(made)).toBe('2026-03-10T09:00:00+01:00');
    const same = await ground.put(caller, { ...made, note: [{ text: 'Seen.' }] });
    expect(statedAt(same)).toBe('2026-03-10T09:00:00+01:00');
    const changed = await ground.put(caller, { ...same, stage: [{ ...same.stage![0], summary: { text: 'Stage 4' } }] });
    // By the clock of the service: recordedDate is as before.
    expect(statedAt(changed)).toMatch(/T.*Z$/);
    expect(statedAt(changed)! > statedAt(same)!).toBe(true);
    const extension = [{ url: STATED_AT, valueDateTime: '2026-03-12' }];
    const dated = await ground.put(caller, { ...changed, stage: [{ extension, summary: { text: 'Stage 4' } }] });
    expect(statedAt(dated)).toBe('2026-03-12');
  });

  it('is found beside more Conditions than a page has, and read once for several photos', async () => {
    const author = { kind: 'client', keyId: v7() } as const;
    const others = Array.from({ length: 501 }, () => ({
      resource: { resourceType: 'Condition', id: v7(), subject: { reference: `Patient/${patient}` } } as Condition,
      author,
    }));
    await ground.within(caller, ({ transaction }) => ground.get(ResourceStore).insertAll(transaction, others));
    const photos = [await photo('2026-03-10T11:00:00+01:00'), await photo('2026-03-17T11:00:00+01:00')];
    for (const imageId of photos) expect(await ordered(imageId)).toBeNull();
    const search = jest.spyOn(ground.get(ResourceSearch), 'match');
    await post(condition());
    const times = search.mock.calls.filter(([, type]) => type === 'Condition').length;
    search.mockRestore();
    for (const imageId of photos)
      expect((await optionsOf(imageId)).clinicianObservations).toMatchObject({ stage: { value: '3' } });
    expect(times).toBe(1);
  });

  it('holds for the wound that its own was joined into', async () => {
    const second = (await ground.post(caller, woundOf(patient, 'W-2'))).resource.id!;
    await post(condition('stage-pressure-4', { recordedDate: '2026-03-05T09:00:00+01:00' }));
    const lower = condition('stage-pressure-2', { recordedDate: '2026-03-01T09:00:00+01:00' });
    const extension = [{ url: BODY_SITE, valueReference: { reference: `BodyStructure/${second}` } }];
    await post({ ...lower, extension });
    await ground.within(caller, ({ transaction }) =>
      ground.get(WoundService).merge(transaction, wound, second, { reviewer: null, note: null }),
    );
    wound = second;
    expect(await ordered(await photo('2026-03-14T11:00:00+01:00'))).toMatchObject({ stage: { value: '4' } });
  });

  it('is stated now where it was past or ruled out, and is so again', async () => {
    const refuted = { coding: [{ system: STATUS, code: 'refuted' }] };
    const made = await post(condition('stage-pressure-3', { verificationStatus: refuted }));
    const again = await ground.put(caller, { ...made, verificationStatus: undefined as never });
    expect(statedAt(again)).toMatch(/T.*Z$/);
  });

  const warned = (given: Condition) =>
    ground.within(caller, async (call) => {
      const { changing } = ground.get(ResourceInteractions);
      const { outcome } = await changing.update(call, 'Condition', given.id!, JSON.parse(JSON.stringify(given)), {});
      return JSON.stringify(outcome ?? '');
    });

  it('says so where the time from before is sent with another stage, and counts no longer', async () => {
    const made = await post(condition());
    expect(await warned({ ...made, note: [{ text: 'Seen.' }] })).not.toContain('counts as of now');
    expect(await warned({ ...made, stage: [{ ...made.stage![0], summary: { text: 'Stage 4' } }] })).toContain(
      'counts as of now',
    );
  });

  it('says so where a photo of the weeks after it was analysed without it', async () => {
    await photo('2026-03-24T11:00:00+01:00');
    const made = await post(condition());
    const analysed = jest.spyOn(ground.get(JobRepository), 'wasAnalysed').mockResolvedValue(true);
    const told = await warned({ ...made, note: [{ text: 'Seen.' }] });
    analysed.mockRestore();
    expect(told).toContain('was analysed with what was noted before');
  });

  it('is what the service shows of the wound, where its reports have an older one or a lower one of that day', async () => {
    const reported = {
      reportId: '0199d0a1-4a00-7b10-8a01-00000000aaaa',
      imageId: '0199d0a1-4a00-7b10-8a01-00000000bbbb',
      woundId: wound,
      capturedAt: new Date('2026-03-10T10:00:00Z'),
      stage: { system: 'pressure', value: '2' },
      statedAt: null,
    } as const;
    const stages = jest.spyOn(ground.get(ReportRepository), 'stages').mockResolvedValue([reported]);
    const shown = async () =>
      (await ground.find<Condition>(caller, 'Condition', `${wound}-stage`)).stage?.[0]?.summary?.coding?.[0]?.code;
    await ground.within(caller, ({ transaction }) => ground.get(StageProjection).project(transaction, wound));
    expect(await shown()).toBe('stage-pressure-2');
    const made = await post(condition('stage-pressure-4', { recordedDate: '2026-03-10' }));
    expect(await shown()).toBe('stage-pressure-4');
    await ground.put(caller, { ...made, verificationStatus: { coding: [{ system: STATUS, code: 'refuted' }] } });
    expect(await shown()).toBe('stage-pressure-2');
    await post(condition('stage-pressure-1', { recordedDate: '2026-03-10T18:00:00+01:00' }));
    expect(await shown()).toBe('stage-pressure-2');
    await post(condition('stage-pressure-3', { recordedDate: '2026-03-12' }));
    expect(await shown()).toBe('stage-pressure-3');
    stages.mockRestore();
  });
});
