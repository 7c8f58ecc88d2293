import type { Parameters, Task } from '@medplum/fhirtypes';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { AnalyzeOperation } from '../../../../src/doors/fhir/operations/analyze.operation.js';
import { isStored, type FhirAnswer } from '../../../../src/doors/fhir/call/fhir-call.js';
import { JobRepository } from '../../../../src/core/analysis/job.repository.js';
import { BASE, IntakeGround, photoData } from '../../../support/intake-ground.js';
import { mediaOf, orderOf, patientOf, WOUND_NUMBERS, woundOf } from '../../../support/intake-resources.js';

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

const parameters = (...parameter: NonNullable<Parameters['parameter']>): Parameters => ({
  resourceType: 'Parameters',
  ...(parameter.length === 0 ? {} : { parameter }),
});
const send = async () =>
  (await ground.post(caller, mediaOf({ data: await photoData() }, { patientId: person }))).resource.id!;
const analyze = (
  id: string | null,
  input: Parameters = parameters(),
  more: { respondAsync?: boolean; key?: string } = {},
) =>
  ground.operate(
    ground.get(AnalyzeOperation),
    caller,
    id,
    input,
    { respondAsync: more.respondAsync ?? false },
    more.key ?? null,
  );
const taskOf = ({ body }: FhirAnswer): Task => {
  if (!isStored(body)) throw new Error('The answer has no Task.');
  return body.resource as Task;
};

describe('$analyze', () => {
  it.each([
    ['no photo', () => analyze(null), 'fhir.business_rule'],
    ['a Media that there is not', () => analyze('01997f2e-0000-7000-8000-00000000dead'), 'fhir.not_found'],
    [
      'an unknown parameter',
      async () => analyze(await send(), parameters({ name: 'model', valueString: 'accurate' })),
      'fhir.business_rule',
    ],
    [
      'two photos',
      async () =>
        analyze(await send(), parameters({ name: 'media', valueReference: { reference: `Media/${await send()}` } })),
      'fhir.business_rule',
    ],
    [
      'a photo in the address and one beside it',
      async () => analyze(await send(), parameters({ name: 'image', resource: mediaOf({ data: await photoData() }) })),
      'fhir.business_rule',
    ],
    [
      'a media that is a Patient',
      () => analyze(null, parameters({ name: 'media', valueReference: { reference: `Patient/${person}` } })),
      'fhir.reference',
    ],
    [
      'a wound that there is not',
      async () =>
        analyze(
          await send(),
          parameters({
            name: 'wound',
            valueReference: { reference: 'BodyStructure/01997f2e-0000-7000-8000-00000000dead' },
          }),
        ),
      'fhir.reference',
    ],
    [
      'an image that is none',
      () => analyze(null, parameters({ name: 'image', resource: mediaOf({ data: 'AAAA' }) })),
      'fhir.image',
    ],
  ])('of %s is refused, and charges nothing', async (_, ask, code) => {
    await expect(ask()).rejects.toMatchObject({ code });
    expect([await ground.count('quota_usage', caller), await ground.tasks(caller)]).toEqual([0, []]);
  });

  it('is refused with a used-up quota, and the photo that came with it is not kept', async () => {
    caller = await ground.createCaller('free', { dailyLimitOverride: 0 });
    await expect(
      analyze(null, parameters({ name: 'image', resource: mediaOf({ data: await photoData() }) })),
    ).rejects.toMatchObject({ code: 'quota.exceeded' });
    expect(await ground.count('images', caller, `status <> 'deleted'`)).toBe(0);
  });

  it('answers with the Task of one analysis, with all that is said of it', async () => {
    const woundId = (await ground.post(caller, woundOf(person))).resource.id!;
    const id = await send();
    const answer = await analyze(
      id,
      parameters(
        { name: 'clinicalContext', valueString: 'Diabetic.' },
        { name: 'wound', valueReference: { reference: `${BASE}/BodyStructure/${woundId}` } },
      ),
    );
    const task = taskOf(answer);
    expect(answer).toMatchObject({ status: 200, headers: { 'content-location': `${BASE}/Task/${task.id}` } });
    expect(task).toMatchObject({ status: 'accepted', focus: { reference: `Media/${id}` } });
    expect(await ground.jobs(caller)).toMatchObject([
      {
        id: task.id,
        imageId: id,
        clinicalContext: 'Diabetic.',
        subject: { woundId: 'W-1', woundIdSystem: WOUND_NUMBERS },
      },
    ]);
  });

  it('answers without a body where that is preferred', async () => {
    const answer = await analyze(await send(), parameters(), { respondAsync: true });
    const [task] = await ground.tasks(caller);
    expect(answer).toEqual({ status: 202, body: null, headers: { 'content-location': `${BASE}/Task/${task!.id}` } });
  });

  it('of a photo that comes with it keeps that and analyses it once, ordered or not', async () => {
    caller = await ground.createCaller('pro', { autoAnalyze: true });
    person = (await ground.post(caller, patientOf())).resource.id!;
    const task = taskOf(
      await analyze(
        null,
        parameters({ name: 'image', resource: mediaOf({ data: await photoData() }, { patientId: person }) }),
      ),
    );
    expect(await ground.tasks(caller)).toHaveLength(1);
    const { resource: order } = await ground.post(caller, orderOf(person));
    const ordered = taskOf(
      await analyze(
        null,
        parameters({
          name: 'image',
          resource: mediaOf({ data: await photoData(2) }, { patientId: person, orderId: order.id! }),
        }),
      ),
    );
    expect(ordered).toMatchObject({ basedOn: [{ reference: `ServiceRequest/${order.id}` }], status: 'accepted' });
    expect([(await ground.tasks(caller)).length, ordered.id === task.id]).toEqual([2, false]);
  });

  it('asked again is another analysis, but for a repeat with its key', async () => {
    const id = await send();
    const [first, again] = [
      taskOf(await analyze(id, parameters(), { key: 'k-1' })),
      await analyze(id, parameters(), { key: 'k-1' }),
    ];
    expect(taskOf(again).id).toBe(first.id);
    expect(again.headers).toMatchObject({ 'idempotency-replayed': 'true' });
    await expect(
      analyze(id, parameters({ name: 'clinicalContext', valueString: 'x' }), { key: 'k-1' }),
    ).rejects.toMatchObject({ code: 'idempotency.mismatch' });
    await ground.get(JobRepository).claim(60, first.id);
    expect(taskOf(await analyze(id)).id).not.toBe(first.id);
    expect(await ground.jobs(caller)).toHaveLength(2);
  });

  it('takes the photo by a reference, too', async () => {
    const id = await send();
    expect(
      taskOf(await analyze(null, parameters({ name: 'media', valueReference: { reference: `Media/${id}` } }))).input,
    ).toMatchObject([{ valueReference: { reference: `Media/${id}` } }]);
  });
});
