import { createHash } from 'node:crypto';
import type { Media, Observation, ServiceRequest, Task } from '@medplum/fhirtypes';
import { AnalysisRequestService } from '../../../../src/core/analysis/analysis-request.service.js';
import { ImageService } from '../../../../src/core/images/image.service.js';
import { UnitOfWork } from '../../../../src/core/ports/unit-of-work.js';
import { JobRepository } from '../../../../src/core/analysis/job.repository.js';
import { ObjectStore } from '../../../../src/core/images/object-store.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { ResourceValidator } from '../../../../src/standards/fhir/validation/resource-validator.js';
import { queryDatabase } from '../../../support/database-query.js';
import { eventually } from '../../../support/eventually.js';
import { IntakeGround, photoData } from '../../../support/intake-ground.js';
import { mediaOf, orderOf, patientOf, WOUND_NUMBERS, woundOf } from '../../../support/intake-resources.js';
import { drawWoundPhoto } from '../../../support/wound-photo.js';
import { lockWaitsOf } from '../../../support/lock-waits.js';

const LOINC = 'http://loinc.org';
const LOCAL = 'https://sutura.dev/fhir/CodeSystem/wound-observation';
const CANCEL = [{ op: 'replace', path: '/status', value: 'cancelled' }];

let ground: IntakeGround;
let caller: Caller;
let person: string;

beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller();
  person = (await ground.post(caller, patientOf())).resource.id!;
});

const place = async (more: Partial<ServiceRequest> = {}) => (await ground.post(caller, orderOf(person, more))).resource;
const send = async (links: Parameters<typeof mediaOf>[1] = {}, more: Partial<Media> = {}, seed = 1) =>
  (await ground.post(caller, mediaOf({ data: await photoData(seed) }, { patientId: person, ...links }, more))).resource;
const change = (order: ServiceRequest, more: Partial<ServiceRequest>) =>
  ground.put(caller, { ...order, ...more } as ServiceRequest);
const statuses = async () => (await ground.tasks(caller)).map(({ status }) => status);
/** A worker takes the tenant's first job. */
const begin = async () => ground.get(JobRepository).claim(60, (await ground.jobs(caller))[0]!.id);
const used = async () =>
  (
    await queryDatabase<{ used: number }>(
      ground.database.url,
      'select used from quota_usage where organization_id = $1',
      [caller.organizationId],
    )
  )[0]?.used ?? 0;

const lockWaits = () => lockWaitsOf(ground.database.url);
async function requestUpload(): Promise<string> {
  return (
    await ground.get(ImageService).requestUpload(caller, { contentType: null, contentLength: null, sha256: null })
  ).image.id;
}
async function receive(imageId: string, bytes: Buffer): Promise<void> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const keepAs = (key: string) => ground.get(ObjectStore).put(key, bytes, 'image/jpeg');
  await ground.get(ImageService).receive(imageId, {
    sizeBytes: bytes.length,
    sha256,
    head: bytes.subarray(0, 12),
    read: () => Promise.resolve(bytes),
    keepAs,
  });
  await ground.relay();
}
const photo = (seed = 1) => drawWoundPhoto({ width: 160, height: 120, seed });

describe('an order', () => {
  it.each([
    ['of something else', { code: { coding: [{ system: LOINC, code: '24323-8' }] } }],
    ['that is a draft', { status: 'draft' }],
    ['without a code', { code: undefined }],
  ] as const)('%s asks for nothing', async (_, more) => {
    await place(more as Partial<ServiceRequest>);
    expect(await ground.tasks(caller)).toEqual([]);
    expect(await ground.count('analysis_requests', caller)).toBe(0);
  });

  it.each([
    [
      'whose photo is another patient’s',
      async () => ({
        supportingInfo: [
          {
            reference: `Media/${(await send({ patientId: (await ground.post(caller, patientOf('MRN-2'))).resource.id! })).id}`,
          },
        ],
      }),
    ],
    [
      'whose wound is another patient’s',
      async () => ({
        supportingInfo: [
          {
            reference: `BodyStructure/${(await ground.post(caller, woundOf((await ground.post(caller, patientOf('MRN-2'))).resource.id!))).resource.id}`,
          },
        ],
      }),
    ],
    ['with more text than a job has', () => Promise.resolve({ note: [{ text: 'x'.repeat(4001) }] })],
  ])('%s is refused', async (_, more) => {
    await expect(ground.post(caller, orderOf(person, (await more()) as Partial<ServiceRequest>))).rejects.toMatchObject(
      { code: 'fhir.business_rule' },
    );
    expect(await ground.tasks(caller)).toEqual([]);
  });

  it('waits for its photo, and is one analysis once that has come', async () => {
    const order = await place();
    const [waiting] = await ground.tasks(caller);
    expect(waiting).toMatchObject({
      status: 'received',
      businessStatus: { coding: [{ code: 'queued' }] },
      focus: { reference: `ServiceRequest/${order.id}` },
      for: { reference: `Patient/${person}` },
    });
    expect([await ground.jobs(caller), await used()]).toEqual([[], 0]);
    const { id } = await send({ orderId: order.id! });
    expect(await ground.jobs(caller)).toMatchObject([
      { id: waiting!.id, imageId: id, source: 'fhir', patientId: person },
    ]);
    const [task, ...others] = await ground.tasks(caller);
    expect([task, others, await used()]).toMatchObject([
      { id: waiting!.id, status: 'accepted', input: [{ valueReference: { reference: `Media/${id}` } }] },
      [],
      1,
    ]);
    expect(ground.get(ResourceValidator).validate(task)).toEqual({ level: null, issues: [] });
    await ground.relay();
    expect(await statuses()).toEqual(['accepted']);
  });

  it('tells its job all that it, its photo and its wound say', async () => {
    const morphology = { coding: [{ system: 'http://snomed.info/sct', code: '399912005', display: 'Pressure sore' }] };
    const woundId = (
      await ground.post(
        caller,
        woundOf(person, 'W-12', {
          location: { text: 'Left heel' },
          locationQualifier: [{ coding: [{ code: '7771000' }] }],
          morphology,
        }),
      )
    ).resource.id!;
    const { id } = await send(
      { woundId },
      { createdDateTime: '2026-03-15T09:40:00+01:00', note: [{ text: 'With sticker.' }] },
    );
    await place({
      priority: 'urgent',
      supportingInfo: [{ reference: `Media/${id}` }],
      note: [{ text: 'Diabetic.' }],
      reasonCode: [{ text: 'Follow-up' }],
    });
    expect(await ground.jobs(caller)).toMatchObject([
      {
        capturedAt: new Date('2026-03-15T08:40:00Z'),
        priority: 'stat',
        clinicalContext: 'Follow-up\nDiabetic.\nWith sticker.',
        subject: {
          patientId: 'MRN-1',
          woundId: 'W-12',
          woundIdSystem: WOUND_NUMBERS,
          bodySite: { display: 'Left heel' },
          laterality: 'left',
          woundType: { code: '399912005' },
        },
      },
    ]);
  });

  it('names its wound itself where the photo does not', async () => {
    const woundId = (await ground.post(caller, woundOf(person, null))).resource.id!;
    const { id } = await send();
    await place({ supportingInfo: [{ reference: `BodyStructure/${woundId}` }, { reference: `Media/${id}` }] });
    expect(await ground.jobs(caller)).toMatchObject([
      { subject: { woundIdSystem: 'https://sutura.dev/fhir/sid/wound', woundId } },
    ]);
  });

  it('of two photos is two analyses, of the same photo twice named one', async () => {
    const [first, second] = [await send({}, {}, 1), await send({}, {}, 2)];
    const order = await place({
      supportingInfo: [first, second, first].map(({ id }) => ({ reference: `Media/${id}` })),
    });
    expect(await statuses()).toEqual(['accepted', 'accepted']);
    await change(order, { priority: 'stat' });
    await ground.put(caller, { ...first, basedOn: [{ reference: `ServiceRequest/${order.id}` }] } as Media);
    expect(await used()).toBe(2);
  });

  it('may get its photo by an update of either', async () => {
    const [order, other] = [await place(), await place({ identifier: [{ system: 'urn:oid:2.7', value: '2' }] })];
    const [first, second] = [await send({}, {}, 1), await send({}, {}, 2)];
    await change(order, { supportingInfo: [{ reference: `Media/${first.id}` }] });
    await ground.put(caller, { ...second, basedOn: [{ reference: `ServiceRequest/${other.id}` }] } as Media);
    expect((await ground.jobs(caller)).map(({ imageId }) => imageId).sort()).toEqual([first.id, second.id].sort());
    expect(await statuses()).toEqual(['accepted', 'accepted']);
  });

  it('that is revoked takes back what has not begun, waiting or queued', async () => {
    const [waiting, queued] = [await place(), await place({ identifier: [{ system: 'urn:oid:2.7', value: '2' }] })];
    await send({ orderId: queued.id! });
    await change(waiting, { status: 'revoked' });
    await change(queued, { status: 'revoked' });
    expect(await statuses()).toEqual(['cancelled', 'cancelled']);
    await ground.relay();
    expect(await statuses()).toEqual(['cancelled', 'cancelled']);
    expect(await ground.jobs(caller)).toMatchObject([{ status: 'error', error: { code: 'job.cancelled' } }]);
    await expect(send({ orderId: waiting.id! }, {}, 2)).resolves.toBeDefined();
    expect(await used()).toBe(1);
  });

  it('of which an analysis has begun is not revoked', async () => {
    const order = await place();
    await send({ orderId: order.id! });
    await begin();
    await expect(change(order, { status: 'revoked' })).rejects.toMatchObject({ code: 'fhir.task_state' });
  });

  it('on hold waits although its photo has come, and goes on when it is active again', async () => {
    const order = await place();
    const held = await change(order, { status: 'on-hold' });
    const media = await send();
    await ground.put(caller, { ...media, basedOn: [{ reference: `ServiceRequest/${order.id}` }] } as Media);
    expect([await statuses(), await used()]).toEqual([['on-hold'], 0]);
    await change(held, { status: 'active' });
    expect([await statuses(), await used()]).toEqual([['accepted'], 1]);
  });

  it('that was completed is not opened by the message that placed it, and is by another photo', async () => {
    const [first, second] = [await send(), await send({}, {}, 2)];
    const order = await place({ supportingInfo: [{ reference: `Media/${first.id}` }] });
    await change(order, { status: 'completed' });
    expect((await change(order, {})).status).toBe('completed');
    const widened = await change(order, {
      supportingInfo: [{ reference: `Media/${first.id}` }, { reference: `Media/${second.id}` }],
    });
    expect(widened.status).toBe('active');
    expect(await ground.tasks(caller)).toHaveLength(2);
  });

  it('keeps its patient', async () => {
    const order = await place();
    const other = (await ground.post(caller, patientOf('MRN-2'))).resource.id!;
    await expect(change(order, { subject: { reference: `Patient/${other}` } })).rejects.toMatchObject({
      code: 'fhir.subject_fixed',
    });
  });
});

describe('a photo that is still on its way', () => {
  it('lets its order wait, and is analysed when it is there', async () => {
    const imageId = await requestUpload();
    const media = await ground.post(caller, mediaOf({ url: `urn:sutura:image:${imageId}` }, { patientId: person }));
    await place({ supportingInfo: [{ reference: `Media/${media.resource.id}` }] });
    expect([await statuses(), await used()]).toEqual([['received'], 0]);
    await receive(imageId, await photo());
    expect(await ground.jobs(caller)).toMatchObject([{ imageId, patientId: person, subject: { patientId: 'MRN-1' } }]);
    expect([await statuses(), await used()]).toEqual([['accepted'], 1]);
  });

  it('and cannot be read lets the Task be rejected, and charges nothing', async () => {
    const imageId = await requestUpload();
    await ground.post(caller, mediaOf({ url: `urn:sutura:image:${imageId}` }, { patientId: person }));
    await place({ supportingInfo: [{ reference: `Media/${imageId}` }] });
    await receive(imageId, (await photo()).subarray(0, 900));
    const [task] = await ground.tasks(caller);
    expect(task).toMatchObject({ status: 'rejected', statusReason: { coding: [{ code: 'image-unreadable' }] } });
    expect([await ground.jobs(caller), await used()]).toEqual([[], 0]);
    expect(ground.get(ResourceValidator).validate(task)).toEqual({ level: null, issues: [] });
  });

  it('waits for the quota to return, where that is used up when it comes', async () => {
    caller = await ground.createCaller('free', { dailyLimitOverride: 0 });
    person = (await ground.post(caller, patientOf())).resource.id!;
    const imageId = await requestUpload();
    await ground.post(caller, mediaOf({ url: `urn:sutura:image:${imageId}` }, { patientId: person }));
    await place({ supportingInfo: [{ reference: `Media/${imageId}` }] });
    await receive(imageId, await photo());
    expect(await statuses()).toEqual(['received']);
    const requests = ground.get(AnalysisRequestService);
    await queryDatabase(ground.database.url, 'update organizations set daily_limit_override = 5 where id = $1', [
      caller.organizationId,
    ]);
    await requests.sweep();
    expect(await ground.jobs(caller)).toEqual([]);
    await queryDatabase(
      ground.database.url,
      `update analysis_requests set retry_at = now() - interval '1 second' where organization_id = $1`,
      [caller.organizationId],
    );
    await requests.sweep();
    await ground.relay();
    expect([await statuses(), await used()]).toEqual([['accepted'], 1]);
  });

  it('is analysed once, however often its coming is told and however many tell it', async () => {
    const imageId = await requestUpload();
    await ground.post(caller, mediaOf({ url: `urn:sutura:image:${imageId}` }, { patientId: person }));
    await place({ supportingInfo: [{ reference: `Media/${imageId}` }] });
    await receive(imageId, await photo());
    await Promise.all([1, 2, 3, 4].map(() => ground.get(AnalysisRequestService).imageReady(caller, imageId)));
    expect([(await ground.jobs(caller)).length, await used()]).toEqual([1, 1]);
  });

  it('arrives behind whatever is being written to wait for it, though something waited for it before', async () => {
    const imageId = await requestUpload();
    await ground.post(caller, mediaOf({ url: `urn:sutura:image:${imageId}` }, { patientId: person }));
    const bytes = await photo();
    const images = ground.get(ImageService);
    let arrival: Promise<void> | undefined;
    await ground.get(UnitOfWork).inTenant(caller, async (transaction) => {
      await images.lockOrAwait(transaction, imageId);
      arrival = receive(imageId, bytes);
      const waits = eventually('the arrival to wait', async () => (await lockWaits()) > 0);
      expect(await Promise.race([arrival.then(() => 'arrives'), waits.then(() => 'waits')])).toBe('waits');
    });
    await arrival;
    expect(await ground.count('images', caller, `status = 'stored'`)).toBe(1);
  });

  it('may be waited for by two at the same moment', async () => {
    const imageId = await requestUpload();
    const images = ground.get(ImageService);
    let users = 0;
    let open!: () => void;
    const bothUseIt = new Promise<void>((resolve) => (open = resolve));
    const wait = () =>
      ground.get(UnitOfWork).inTenant(caller, async (transaction) => {
        await images.requireForUse(transaction, imageId);
        users += 1;
        if (users === 2) open();
        await bothUseIt;
        await images.lockOrAwait(transaction, imageId);
      });
    await Promise.all([wait(), wait()]);
    expect(await ground.count('images', caller, 'awaited')).toBe(1);
  });

  it('that arrives while its order is placed is neither forgotten nor analysed twice', async () => {
    for (let round = 0; round < 5; round += 1) {
      const imageId = await requestUpload();
      await ground.post(caller, mediaOf({ url: `urn:sutura:image:${imageId}` }, { patientId: person }));
      const bytes = await photo(round + 10);
      await Promise.all([place({ supportingInfo: [{ reference: `Media/${imageId}` }] }), receive(imageId, bytes)]);
      await ground.relay();
      expect((await ground.jobs(caller)).filter((job) => job.imageId === imageId)).toHaveLength(1);
    }
  });
});

describe('quota', () => {
  it('that is used up refuses the order and all that came with it', async () => {
    caller = await ground.createCaller('free', { dailyLimitOverride: 0 });
    const entry = (fullUrl: string, resource: object) => ({
      fullUrl,
      resource,
      request: { method: 'POST' as const, url: (resource as { resourceType: string }).resourceType },
    });
    const urn = (number: number) => `urn:uuid:b1f6a2de-6c1f-4a55-9a2b-00000000000${number}`;
    const media = { ...mediaOf({ data: await photoData() }), subject: { reference: urn(1) } };
    const order = { ...orderOf('x'), subject: { reference: urn(1) }, supportingInfo: [{ reference: urn(2) }] };
    const bundle = {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [entry(urn(1), patientOf()), entry(urn(2), media), entry(urn(3), order)],
    };
    await expect(ground.transact(caller, bundle as never)).rejects.toMatchObject({ code: 'quota.exceeded' });
    for (const table of ['fhir_resources', 'patients', 'analysis_requests', 'analysis_jobs'])
      expect(await ground.count(table, caller)).toBe(0);
    expect(await ground.count('images', caller, `status <> 'deleted'`)).toBe(0);
  });
});

describe('a photo without an order', () => {
  it('is kept, and analysed only where the organization wants that', async () => {
    await send();
    expect(await ground.tasks(caller)).toEqual([]);
    caller = await ground.createCaller('pro', { autoAnalyze: true });
    person = (await ground.post(caller, patientOf())).resource.id!;
    const media = await send();
    const [task] = await ground.tasks(caller);
    expect(task).toMatchObject({
      status: 'accepted',
      focus: { reference: `Media/${media.id}` },
      for: { reference: `Patient/${person}` },
    });
    expect(ground.get(ResourceValidator).validate(task)).toEqual({ level: null, issues: [] });
  });

  it('that its transaction also orders is analysed once', async () => {
    caller = await ground.createCaller('pro', { autoAnalyze: true });
    const urn = (number: number) => `urn:uuid:b1f6a2de-6c1f-4a55-9a2b-00000000000${number}`;
    const entry = (fullUrl: string, resource: object) => ({
      fullUrl,
      resource,
      request: { method: 'POST' as const, url: (resource as { resourceType: string }).resourceType },
    });
    const media = { ...mediaOf({ data: await photoData() }), subject: { reference: urn(1) } };
    const order = { ...orderOf('x'), subject: { reference: urn(1) }, supportingInfo: [{ reference: urn(2) }] };
    await ground.transact(caller, {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [entry(urn(2), media), entry(urn(3), order), entry(urn(1), patientOf())],
    } as never);
    expect(await ground.tasks(caller)).toMatchObject([{ status: 'accepted', basedOn: [{}] }]);
    expect(await used()).toBe(1);
  });

  it('keeps its patient and wound once it was analysed, and may get others before', async () => {
    const other = (await ground.post(caller, patientOf('MRN-2'))).resource.id!;
    const media = await send();
    const moved = await ground.put(caller, { ...media, subject: { reference: `Patient/${other}` } } as Media);
    await ground.post(caller, orderOf(other, { supportingInfo: [{ reference: `Media/${media.id}` }] }));
    expect(await ground.jobs(caller)).toMatchObject([{ patientId: other, subject: { patientId: 'MRN-2' } }]);
    await expect(
      ground.put(caller, { ...moved, subject: { reference: `Patient/${person}` } } as Media),
    ).rejects.toMatchObject({ code: 'fhir.subject_fixed' });
    await expect(ground.put(caller, { ...moved, bodySite: { text: 'Heel' } } as Media)).resolves.toBeDefined();
  });

  it('that changes while it is waited for is analysed as it says then', async () => {
    const imageId = await requestUpload();
    const { resource } = await ground.post(
      caller,
      mediaOf({ url: `urn:sutura:image:${imageId}` }, { patientId: person }),
    );
    await place({ supportingInfo: [{ reference: `Media/${imageId}` }] });
    await ground.put(caller, { ...resource, bodySite: { text: 'Right heel' } } as Media);
    await receive(imageId, await photo());
    expect(await ground.jobs(caller)).toMatchObject([{ subject: { bodySite: { display: 'Right heel' } } }]);
  });
});

describe('what clinicians noted', () => {
  const observation = (system: string, code: string, value: object, more: object): Observation =>
    ({
      resourceType: 'Observation',
      status: 'final',
      code: { coding: [{ system, code }] },
      subject: { reference: `Patient/${person}` },
      effectiveDateTime: '2026-03-15T09:38:00+01:00',
      ...value,
      ...more,
    }) as Observation;
  const quantity = (value: number, code: string) => ({
    valueQuantity: { value, code, system: 'http://unitsofmeasure.org', unit: code },
  });

  it.each([
    ['what the service measures', observation(LOINC, '89260-4', quantity(4, 'cm2'), {})],
    ['a code of nothing', observation(LOINC, '8867-4', quantity(70, '/min'), {})],
    ['a depth in inches', observation(LOINC, '39127-6', quantity(1, '[in_i]'), {})],
    ['a depth below zero', observation(LOINC, '39127-6', quantity(-1, 'cm'), {})],
    ['a length of a kilometre', observation(LOINC, '39126-8', quantity(100_000, 'cm'), {})],
    ['a scale of nothing', observation(LOCAL, 'pixel-spacing', quantity(0, 'mm/{pixel}'), {})],
    ['a scale in centimetres', observation(LOCAL, 'pixel-spacing', quantity(0.01, 'cm'), {})],
  ])('is refused as %s', async (_, resource) => {
    const own = { ...resource, subject: { reference: `Patient/${person}` } } as Observation;
    await expect(ground.post(caller, own)).rejects.toMatchObject({ code: 'fhir.business_rule' });
  });

  it('goes into the analysis of its photo: before the order, and while that waits', async () => {
    const imageId = await requestUpload();
    await ground.post(
      caller,
      mediaOf(
        { url: `urn:sutura:image:${imageId}` },
        { patientId: person },
        { createdDateTime: '2026-03-15T09:40:00+01:00' },
      ),
    );
    const derivedFrom = [{ reference: `Media/${imageId}` }];
    await ground.post(caller, observation(LOCAL, 'pixel-spacing', quantity(0.12, 'mm/{pixel}'), { derivedFrom }));
    await ground.post(caller, observation(LOINC, '39127-6', quantity(8, 'mm'), { derivedFrom }));
    await place({ supportingInfo: [{ reference: `Media/${imageId}` }] });
    await ground.post(
      caller,
      observation(
        LOINC,
        '39116-9',
        { valueCodeableConcept: { coding: [{ system: 'http://snomed.info/sct', code: '6736007' }] } },
        { derivedFrom },
      ),
    );
    await receive(imageId, await photo());
    expect(await ground.jobs(caller)).toMatchObject([
      { mmPerPixel: 0.12, clinicianObservations: { depthCm: 0.8, exudate: 'moderate' } },
    ]);
  });

  it('of a wound goes into the analysis of its photo of the same day, and of no other', async () => {
    const woundId = (await ground.post(caller, woundOf(person))).resource.id!;
    const focus = [{ reference: `BodyStructure/${woundId}` }];
    await ground.post(caller, observation(LOINC, '39125-0', quantity(3, 'cm'), { focus }));
    await ground.post(
      caller,
      observation(LOINC, '39126-8', quantity(4, 'cm'), { focus, effectiveDateTime: '2026-03-10' }),
    );
    const { id } = await send({ woundId }, { createdDateTime: '2026-03-15T09:40:00+01:00' });
    await place({ supportingInfo: [{ reference: `Media/${id}` }] });
    expect(await ground.jobs(caller)).toMatchObject([{ clinicianObservations: { widthCm: 3 }, mmPerPixel: null }]);
    expect((await ground.jobs(caller))[0]!.clinicianObservations).not.toHaveProperty('lengthCm');
  });
});

describe('a Task', () => {
  const asking = (focus: string, more: object = {}): Task =>
    ({
      resourceType: 'Task',
      status: 'requested',
      intent: 'order',
      code: { coding: [{ system: 'http://hl7.org/fhir/CodeSystem/task-code', code: 'fulfill' }] },
      focus: { reference: focus },
      ...more,
    }) as Task;

  it('of a client asks for the analysis of a photo', async () => {
    const { id } = await send();
    const { resource } = await ground.post(
      caller,
      asking(`Media/${id}`, {
        note: [{ text: 'Please.' }],
        input: [{ type: { coding: [{ code: 'clinical-context' }] }, valueString: 'Diabetic.' }],
      }),
    );
    expect(await ground.jobs(caller)).toMatchObject([{ id: resource.id, imageId: id, clinicalContext: 'Diabetic.' }]);
    const [task] = await ground.tasks(caller);
    expect(task).toMatchObject({ id: resource.id, status: 'accepted', note: [{ text: 'Please.' }] });
    expect(ground.get(ResourceValidator).validate(task)).toEqual({ level: null, issues: [] });
  });

  it.each([
    ['a plan', (id: string) => asking(`Media/${id}`, { intent: 'plan' })],
    ['what is done already', (id: string) => asking(`Media/${id}`, { status: 'completed' })],
    ['something else to do', (id: string) => asking(`Media/${id}`, { code: { coding: [{ code: 'approve' }] } })],
    ['nobody knows which photo', () => asking(`Patient/${person}`)],
  ])('of a client is refused for %s', async (_, make) => {
    const { id } = await send();
    await expect(ground.post(caller, make(id!))).rejects.toMatchObject({ code: 'fhir.business_rule' });
  });

  it('of a client does not come beside that of the order', async () => {
    const order = await place();
    const { id } = await send();
    const input = [{ type: { coding: [{ code: 'image' }] }, valueReference: { reference: `Media/${id}` } }];
    await expect(ground.post(caller, asking(`ServiceRequest/${order.id}`, { input }))).rejects.toMatchObject({
      code: 'fhir.business_rule',
    });
  });

  it('is cancelled while it waits, and while it is queued; again is no harm', async () => {
    const order = await place();
    const [waiting] = await ground.tasks(caller);
    expect(await ground.patch(caller, 'Task', waiting!.id!, CANCEL)).toMatchObject({
      status: 'cancelled',
      businessStatus: { coding: [{ code: 'error' }] },
    });
    expect(await ground.patch(caller, 'Task', waiting!.id!, CANCEL)).toMatchObject({ status: 'cancelled' });
    const { id } = await send({ orderId: order.id! });
    const queued = (await ground.tasks(caller)).find(({ status }) => status === 'accepted')!;
    expect(queued.input).toMatchObject([{ valueReference: { reference: `Media/${id}` } }]);
    await ground.put(caller, { ...queued, status: 'cancelled', note: [{ text: 'Taken twice.' }] } as Task);
    expect(await ground.jobs(caller)).toMatchObject([
      { status: 'error', error: { code: 'job.cancelled', retryable: false } },
    ]);
    expect(await begin()).toBeNull();
    await ground.relay();
    const tasks = await ground.tasks(caller);
    expect(tasks.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    for (const task of tasks) expect(ground.get(ResourceValidator).validate(task)).toEqual({ level: null, issues: [] });
  });

  it('is not cancelled once it has begun, nor changed in any other way', async () => {
    await send({ orderId: (await place()).id! });
    const [task] = await ground.tasks(caller);
    for (const patch of [
      { path: '/status', value: 'completed' },
      { path: '/priority', value: 'asap' },
      { path: '/authoredOn', value: '2020-01-01T00:00:00Z' },
    ]) {
      await expect(ground.patch(caller, 'Task', task!.id!, [{ op: 'replace', ...patch }])).rejects.toMatchObject({
        code: 'fhir.task_state',
      });
    }
    await begin();
    await expect(ground.patch(caller, 'Task', task!.id!, CANCEL)).rejects.toMatchObject({ code: 'fhir.task_state' });
    expect(await ground.jobs(caller)).toMatchObject([{ status: 'processing' }]);
  });

  it('that is cancelled while a worker takes it ends in one of the two', async () => {
    await send({ orderId: (await place()).id! });
    const [task] = await ground.tasks(caller);
    const [cancelled, claimed] = await Promise.allSettled([
      ground.patch(caller, 'Task', task!.id!, CANCEL),
      ground.get(JobRepository).claim(60, task!.id!),
    ]);
    const taken = claimed.status === 'fulfilled' && claimed.value !== null;
    expect(cancelled.status).toBe(taken ? 'rejected' : 'fulfilled');
    expect((await ground.jobs(caller))[0]).toMatchObject({ status: taken ? 'processing' : 'error' });
  });
});
