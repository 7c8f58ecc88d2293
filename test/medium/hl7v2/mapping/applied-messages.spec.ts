import type { DocumentReference, Media, ServiceRequest, Task } from '@medplum/fhirtypes';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { FhirRecords } from '../../../../src/doors/fhir/records/fhir-records.js';
import type { Hl7Source } from '../../../../src/doors/hl7v2/mapping/reading/hl7-source.js';
import type { Hl7Problem } from '../../../../src/standards/hl7v2/problems/hl7-problem.js';
import { applyMessage } from '../../../support/applied-message.js';
import { hl7Sample, writtenPlace } from '../../../support/hl7-inbound.js';
import { IntakeGround, photoData } from '../../../support/intake-ground.js';
import { queryDatabase } from '../../../support/database-query.js';
import { drawWoundPhoto } from '../../../support/wound-photo.js';

const STUB = '/9j/4AAQSkZJRg==';
const NUMBER = { system: 'urn:oid:1.2.3.4.5.7', value: 'ORD-55012' };

let ground: IntakeGround;
let caller: Caller;
beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller('pro', { imageHosts: ['photos.ehr.example'] });
});

/** A sample taken as the door takes it; the problems of its refusal, or none. */
async function take(
  name: string,
  changes: readonly (readonly [string, string])[] = [],
  source: Partial<Hl7Source> = {},
): Promise<readonly Hl7Problem[]> {
  return (await applyMessage(ground, caller, hl7Sample(name, ...changes), source)).filter(
    ({ severity }) => severity === 'error',
  );
}
const order = async () =>
  (await ground.get(FhirRecords).findByIdentifier<ServiceRequest>(caller, 'ServiceRequest', [NUMBER]))[0];
const statuses = async () => (await ground.tasks(caller)).map(({ status }: Task) => status);
const written = (problems: readonly Hl7Problem[]) =>
  problems.map((problem) => [problem.condition, problem.code, writtenPlace(problem)]);

describe('a message whose photo is none', () => {
  it('is refused at that photo, and leaves nothing', async () => {
    expect(written(await take('2.5.1/omg-o19-photo'))).toEqual([['102', 'fhir.image', 'OBX^1^5^1']]);
    expect(await ground.count('fhir_resources', caller)).toBe(0);
  });

  it('that lies at a host which is not listed is refused there, too', async () => {
    expect(written(await take('2.7/oru-r01-pointer', [['photos.ehr.example', 'photos.elsewhere.example']]))).toEqual([
      ['102', 'fhir.url_refused', 'OBX^1^5^1'],
    ]);
  });
});

describe('a message whose photo nobody can have taken', () => {
  it('is refused where the photo is of a time to come', async () => {
    expect(
      written(
        await take('2.5.1/omg-o19-photo', [
          [STUB, await photoData(1)],
          ['20260315094000+0100', '21310315094000+0100'],
        ]),
      ),
    ).toContainEqual(['102', 'capture.future', 'OBX^1^5^1']);
    expect(await ground.count('fhir_resources', caller)).toBe(0);
  });

  it('is refused a minute after five minutes, and taken a minute before', async () => {
    const inMinutes = (minutes: number) =>
      `${new Date(Date.now() + minutes * 60_000).toISOString().replace(/[-:T]|\..*/g, '')}+0000`;
    const photo: readonly [string, string] = [STUB, await photoData(1)];
    const late = [photo, ['20260315094000+0100', inMinutes(6)]] as const;
    expect(written(await take('2.5.1/omg-o19-photo', late))).toContainEqual(['102', 'capture.future', 'OBX^1^5^1']);
    expect(await take('2.5.1/omg-o19-photo', [photo, ['20260315094000+0100', inMinutes(4)]])).toEqual([]);
  });

  it.each([
    ['shows less than 5 mm', '0.02', 160, 'calibration.implausible'],
    ['shows more than 3 m', '4.7', 640, 'calibration.implausible'],
    ['has more than 5 mm a pixel', '5.01', 160, 'value.number'],
    ['has less than 0.005 mm a pixel', '0.0049', 160, 'value.number'],
  ])('is refused where by its scale the photo %s', async (_, mmPerPixel, width, code) => {
    const photo = await drawWoundPhoto({ width, height: (width * 3) / 4 });
    const sent = await take('2.5.1/omg-o19-photo', [
      [STUB, photo.toString('base64')],
      ['|0.112|', `|${mmPerPixel}|`],
    ]);
    expect(written(sent)).toEqual([['102', code, expect.stringMatching(/^OBX\^5/)]]);
    expect(await ground.count('fhir_resources', caller)).toBe(0);
  });
});

describe('an order by HL7 v2', () => {
  it('is an analysis with all that the message says', async () => {
    expect(await take('2.5.1/omg-o19-photo', [[STUB, await photoData(1)]])).toEqual([]);
    const [job] = await ground.jobs(caller);
    expect(job).toMatchObject({
      source: 'hl7v2',
      priority: 'routine',
      capturedAt: new Date('2026-03-15T08:40:00Z'),
      clinicalContext: 'Diabetic; offloading since 2026-02-20& no fever\nPressure sore\nLine one\nLine two',
      subject: {
        patientId: 'MRN-778812',
        patientSystem: 'urn:oid:1.2.3.4.5.6',
        woundId: 'W-12',
        bodySite: { code: '84607009' },
        laterality: 'left',
      },
      clinicianObservations: { exudate: 'moderate', depthCm: 0.4 },
    });
    expect((job as unknown as { mmPerPixel: number }).mmPerPixel).toBe(0.112);
  });

  it('waits for its photo, is held, goes on, and is completed by the photo that comes later', async () => {
    const noPhoto: (readonly [string, string])[] = [['ORD-601', 'ORD-55012']];
    expect(await take('2.5/oml-o21-new', noPhoto)).toEqual([]);
    expect(await statuses()).toEqual(['received']);
    expect(await take('2.6/orm-o01-hold')).toEqual([]);
    expect((await order())?.status).toBe('on-hold');
    expect(await take('2.5.1/omg-o19-cancel', [['ORC|CA', 'ORC|RL']])).toEqual([]);
    expect(await take('2.5.1/oru-r01-photo-later', [[STUB, await photoData(2)]])).toEqual([]);
    expect(await statuses()).toEqual(['accepted']);
    expect(await ground.jobs(caller)).toHaveLength(1);
    expect(written(await take('2.5/oml-o21-new', noPhoto))).toEqual([['205', 'order.exists', 'ORC^1^2^1']]);
  });

  it('is changed while it is held, and not once its analysis is on its way', async () => {
    const change: (readonly [string, string])[] = [
      ['ORC|NW', 'ORC|XO'],
      ['ORD-601', 'ORD-55012'],
      ['39135-9^Wound assessment panel^LN', '39135-9^^LN|||||||||Fever since yesterday'],
    ];
    await take('2.5/oml-o21-new', [['ORD-601', 'ORD-55012']]);
    await take('2.6/orm-o01-hold');
    await take('2.5.1/oru-r01-photo-later', [[STUB, await photoData(6)]]);
    expect(await ground.jobs(caller)).toEqual([]);
    expect(await take('2.5/oml-o21-new', change)).toEqual([]);
    expect((await order())?.status).toBe('on-hold');
    expect(
      await take('2.5.1/oru-r01-photo-later', [
        [STUB, await photoData(7)],
        ['MSG251007', 'MSG9'],
      ]),
    ).toEqual([]);
    expect(await take('2.5.1/omg-o19-cancel', [['ORC|CA', 'ORC|RL']])).toEqual([]);
    expect(
      (await ground.jobs(caller)).map(({ clinicalContext, priority }) => [clinicalContext, priority]),
    ).toContainEqual(['Fever since yesterday', 'stat']);
    const late = change.map(([from, to]) => [from, to.replace('yesterday', 'today')] as const);
    expect(written(await take('2.5/oml-o21-new', late))).toEqual([['207', 'fhir.task_state', 'ORC^1']]);
  });

  it('is taken back before it begins, and not afterwards', async () => {
    await take('2.5.1/omg-o19-photo', [[STUB, await photoData(3)]]);
    await queryDatabase(
      ground.database.url,
      `update analysis_jobs set status = 'processing', started_at = now(), attempts = 1, lease_token = gen_random_uuid(), lease_until = now() + interval '1 hour' where organization_id = $1`,
      [caller.organizationId],
    );
    expect(written(await take('2.5.1/omg-o19-cancel'))).toEqual([['207', 'fhir.task_state', 'ORC^1^1^1']]);
    await queryDatabase(
      ground.database.url,
      `update analysis_jobs set status = 'queued', started_at = null, attempts = 0, lease_token = null, lease_until = null where organization_id = $1`,
      [caller.organizationId],
    );
    expect(await take('2.5.1/omg-o19-cancel')).toEqual([]);
    expect(await statuses()).toEqual(['cancelled']);
  });
});

describe('a photo by HL7 v2', () => {
  it('is analysed without an order where its source says so, once', async () => {
    const png = await photoData(4);
    expect(await take('2.4/oru-r01-photo', [['iVBORw0KGgoAAAAN', png]], { autoAnalyze: true })).toEqual([]);
    expect(await ground.jobs(caller)).toHaveLength(1);
    const stored = await ground.jobs(caller);
    expect(stored[0]).toMatchObject({ subject: { patientId: '778812' } });
  });

  it('in a document is one photo and one document', async () => {
    expect(await take('2.3.1/mdm-t02-photo', [[STUB, await photoData(5)]])).toEqual([]);
    expect(await ground.count('images', caller, `status <> 'deleted'`)).toBe(1);
    expect(await ground.jobs(caller)).toEqual([]);
    expect(await take('2.5.1/mdm-t11-cancel')).toEqual([]);
    const records = ground.get(FhirRecords);
    const [document] = await records.findByIdentifier<DocumentReference>(caller, 'DocumentReference', [
      { system: 'https://sutura.dev/fhir/sid/hl7v2-authority/EHR', value: 'DOC-881' },
    ]);
    const media = await records.read<Media>(
      caller,
      'Media',
      document!.context!.related![0]!.reference!.slice('Media/'.length),
    );
    expect([document?.status, media?.status]).toEqual(['entered-in-error', 'entered-in-error']);
  });

  it('at an address of a listed host is fetched later', async () => {
    expect(await take('2.7/oru-r01-pointer')).toEqual([]);
    expect(await statuses()).toEqual(['received']);
  });
});

it('every message of patients is taken twice, and the second changes nothing', async () => {
  for (const name of ['2.5.1/adt-a01-admit', '2.5.1/adt-a08-update', '2.5.1/adt-a40-merge'])
    expect([name, await take(name)]).toEqual([name, []]);
  const before = await queryDatabase(
    ground.database.url,
    'select type, id, version from fhir_resources where organization_id = $1 order by id',
    [caller.organizationId],
  );
  for (const name of ['2.5.1/adt-a08-update', '2.5.1/adt-a40-merge']) await take(name);
  expect(
    await queryDatabase(
      ground.database.url,
      'select type, id, version from fhir_resources where organization_id = $1 order by id',
      [caller.organizationId],
    ),
  ).toEqual(before);
});
