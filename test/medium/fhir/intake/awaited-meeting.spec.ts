import type { Media, Patient, Reference, ServiceRequest } from '@medplum/fhirtypes';
import type { HeldItem } from '../../../../src/core/held/held-item.js';
import { HeldService } from '../../../../src/core/held/held.service.js';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { applyMessage, er7 } from '../../../support/applied-message.js';
import { queryDatabase } from '../../../support/database-query.js';
import { IntakeGround, photoData } from '../../../support/intake-ground.js';
import { mediaOf, orderOf, PATIENT_NUMBERS, patientOf } from '../../../support/intake-resources.js';

const PID = 'PID|1||MRN-1^^^HOSP&1.2.3.4.5.6&ISO^MR';
const ORDER = { system: 'urn:oid:1.2.3.4.5.7', value: 'O-1' };
const PLACER = 'O-1^EHR^1.2.3.4.5.7^ISO';
const PANEL = '39135-9^^LN';

let ground: IntakeGround;
let caller: Caller;
beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller('pro', { autoAnalyze: true });
});

const anna: Reference = { type: 'Patient', identifier: { system: PATIENT_NUMBERS, value: 'MRN-1' } };
const subject = anna as Media['subject'];
const calling = [{ type: 'ServiceRequest', identifier: ORDER }] as Media['basedOn'];
const sendPhoto = async (seed = 1) =>
  (await ground.post(caller, mediaOf({ data: await photoData(seed) }, {}, { subject, basedOn: calling }))).resource;
const placeOrder = async (more: Partial<ServiceRequest> = {}) =>
  (await ground.post(caller, orderOf('', { subject: anna, identifier: [ORDER], ...more } as Partial<ServiceRequest>)))
    .resource;
const orderByHl7 = () =>
  applyMessage(
    ground,
    caller,
    er7('OMG^O19^OMG_O19', PID, `ORC|NW|${PLACER}`, `OBR|1|${PLACER}||${PANEL}|||||||||Diabetic`),
  );
const photoByHl7 = async () =>
  applyMessage(
    ground,
    caller,
    er7(
      'ORU^R01^ORU_R01',
      PID,
      `ORC|RE|${PLACER}`,
      `OBR|1|${PLACER}||${PANEL}`,
      `OBX|1|ED|72170-4^Photographic image^LN|1|EHR^IM^JPEG^Base64^${await photoData()}||||||F`,
    ),
  );
const charged = async () => {
  const select = 'select used from quota_usage where organization_id = $1';
  return (await queryDatabase<{ used: number }>(ground.database.url, select, [caller.organizationId]))[0]?.used ?? 0;
};
const jobs = async () => (await ground.jobs(caller)).map(({ imageId, clinicalContext }) => [imageId, clinicalContext]);
const openTasks = async () =>
  (await ground.tasks(caller)).filter(({ status }) => ['on-hold', 'received'].includes(status!)).length;
const listed = (): Promise<HeldItem[]> =>
  ground.get(HeldService).list(caller, { reason: null, olderThanS: null, after: null, limit: 50 });

describe('a photo and an order of somebody who is not known yet', () => {
  it('are each listed once, by what they wait for first', async () => {
    const organization = [caller.organizationId];
    const { url } = ground.database;
    await sendPhoto();
    await placeOrder({ identifier: [{ ...ORDER, value: 'O-2' }] });
    await queryDatabase(url, `update organizations set unmatched_from = '-infinity' where id = $1`, organization);
    for (const [table, column] of [
      ['images', 'stored_at'],
      ['analysis_requests', 'created_at'],
    ])
      await queryDatabase(
        url,
        `update ${table} set ${column} = ${column} - interval '3 days' where organization_id = $1`,
        organization,
      );
    expect((await listed()).map(({ reason }) => reason)).toEqual(['patient_unknown', 'patient_unknown']);
    await ground.post(caller, patientOf());
    await ground.relay();
    expect((await listed()).map(({ reason }) => reason)).toEqual(['order_without_photo']);
  });

  it.each(['photo', 'order'])('meet by the order’s number once the patient has come, the %s first', async (first) => {
    if (first === 'photo') await sendPhoto();
    const order = await placeOrder();
    const photo = first === 'photo' ? null : await sendPhoto();
    expect(await jobs()).toEqual([]);
    await ground.post(caller, patientOf());
    await ground.relay();
    expect(await jobs()).toHaveLength(1);
    expect([await charged(), await openTasks()]).toEqual([1, 0]);
    const [job] = await ground.jobs(caller);
    if (photo !== null) expect(job!.imageId).toBe(photo.id);
    expect((await ground.find<Media>(caller, 'Media', job!.imageId)).basedOn).toMatchObject([
      { reference: `ServiceRequest/${order.id}` },
    ]);
    expect(await listed()).toEqual([]);
  });

  it('meet where the order comes by HL7 with the patient, and are asked for once, as the order says', async () => {
    const photo = await sendPhoto();
    expect(await orderByHl7()).toEqual([]);
    await ground.relay();
    expect(await jobs()).toEqual([[photo.id, expect.stringContaining('Diabetic')]]);
    expect([await charged(), await openTasks()]).toEqual([1, 0]);
    const [order] = (await ground.find<Media>(caller, 'Media', photo.id!)).basedOn!;
    expect(order!.reference).toMatch(/^ServiceRequest\//);
    const going = (await ground.tasks(caller)).filter(({ status }) => status === 'accepted');
    expect(going.map(({ basedOn }) => basedOn?.[0]?.reference)).toEqual([order!.reference]);
  });

  it.each([
    ['by a number', anna, undefined],
    [
      'within the order',
      { reference: '#anna' },
      [{ resourceType: 'Patient', id: 'anna', identifier: [{ system: PATIENT_NUMBERS, value: 'MRN-1' }] }],
    ],
  ])('meet where the photo comes by HL7 with the patient, whom the order states %s', async (_, of, contained) => {
    const more = { subject: of, ...(contained === undefined ? {} : { contained }) } as Partial<ServiceRequest>;
    const order = await placeOrder(more);
    expect(await photoByHl7()).toEqual([]);
    await ground.relay();
    expect(await jobs()).toHaveLength(1);
    expect([await charged(), await openTasks()]).toEqual([1, 0]);
    const { subject: named } = await ground.find<ServiceRequest>(caller, 'ServiceRequest', order.id!);
    expect(named!.reference).toMatch(/^Patient\/[0-9a-f-]{36}$/);
    expect(await listed()).toEqual([]);
  });

  it('go on where the patient is known only as the one who ends in another', async () => {
    const photo = await sendPhoto();
    const survivor = 'PID|1||MRN-9^^^HOSP&1.2.3.4.5.6&ISO^MR||Beispiel^Anna||19510714|F';
    const merge = er7('ADT^A40^ADT_A39', 'EVN|A40|20260315', survivor, 'MRG|MRN-1^^^HOSP&1.2.3.4.5.6&ISO^MR');
    await applyMessage(ground, caller, merge);
    await ground.relay();
    expect(await listed()).toEqual([]);
    const { subject: named } = await ground.find<Media>(caller, 'Media', photo.id!);
    const { identifier } = await ground.find<Patient>(caller, 'Patient', named!.reference!.split('/')[1]!);
    expect(identifier?.map(({ value }) => value)).toContain('MRN-9');
    expect(await jobs()).toHaveLength(1);
  });

  it('do not meet in the order of somebody else', async () => {
    await placeOrder({ subject: { ...anna, identifier: { ...anna.identifier, value: 'MRN-2' } } as never });
    expect((await photoByHl7()).map(({ code }) => code)).toEqual(['order.other_patient']);
    expect(await jobs()).toEqual([]);
  });
});
