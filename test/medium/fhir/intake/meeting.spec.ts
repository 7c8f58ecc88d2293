import type { DocumentReference, Media, ServiceRequest } from '@medplum/fhirtypes';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { JobRepository } from '../../../../src/core/analysis/job.repository.js';
import { applyMessage, er7 } from '../../../support/applied-message.js';
import { queryDatabase } from '../../../support/database-query.js';
import { IntakeGround, photoData } from '../../../support/intake-ground.js';
import { mediaOf, orderOf, patientOf } from '../../../support/intake-resources.js';

const ORDERS = 'urn:oid:1.2.3.4.5.7';
const TYPES = 'http://terminology.hl7.org/CodeSystem/v2-0203';
const numbered = (value: string, type?: string, system = ORDERS) => ({
  ...(type === undefined ? {} : { type: { coding: [{ system: TYPES, code: type }] } }),
  system,
  value,
});
const calling = (...args: Parameters<typeof numbered>) => [{ type: 'ServiceRequest', identifier: numbered(...args) }];

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

const place = async (more: Partial<ServiceRequest>, patientId = person) =>
  (await ground.post(caller, orderOf(patientId, more))).resource;
const send = async (more: Partial<Media>, seed = 1, patientId = person) =>
  (await ground.post(caller, mediaOf({ data: await photoData(seed) }, { patientId }, more))).resource;
const analysed = async () => (await ground.jobs(caller)).map(({ imageId }) => imageId);
const bases = async () => (await ground.tasks(caller)).map(({ basedOn }) => basedOn?.[0]?.reference);
const charged = async () =>
  (
    await queryDatabase<{ used: number }>(
      ground.database.url,
      'select used from quota_usage where organization_id = $1',
      [caller.organizationId],
    )
  )[0]?.used ?? 0;

describe('a photo and an order that call each other by a number', () => {
  it.each([
    ['are of two patients', 'PLAC', 'PLAC', ORDERS, 'other'],
    ['have it of two placers', 'PLAC', 'PLAC', 'urn:oid:1.2.3.4.5.99', 'same'],
    ['mean numbers of two kinds', 'PLAC', 'FILL', ORDERS, 'same'],
    ['mean an order, and a number of the photo itself', 'PLAC', 'RI', ORDERS, 'same'],
  ])('do not meet where they %s', async (_, ofOrder, ofPhoto, system, whose) => {
    const other = (await ground.post(caller, patientOf('MRN-2'))).resource.id!;
    const patientId = whose === 'other' ? other : person;
    await send({ basedOn: calling('O-1', ofPhoto, system) as Media['basedOn'] }, 1, patientId);
    await place({ identifier: [numbered('O-1', ofOrder)] });
    await send({ basedOn: calling('O-1', ofPhoto, system) as Media['basedOn'] }, 2, patientId);
    expect(await analysed()).toEqual([]);
  });

  it.each(['PLAC', 'FILL', 'ACSN', undefined])('meet by a number of type %s, whichever comes first', async (type) => {
    const early = await send({ basedOn: calling('O-1', type) as Media['basedOn'] });
    expect(await analysed()).toEqual([]);
    const order = await place({ identifier: [numbered('O-1', type)] });
    const late = await send({ basedOn: calling('O-1', type) as Media['basedOn'] }, 2);
    expect(await analysed()).toEqual([early.id, late.id]);
    expect(await bases()).toEqual([`ServiceRequest/${order.id}`, `ServiceRequest/${order.id}`]);
    expect(late.basedOn?.[0]).toMatchObject({
      reference: `ServiceRequest/${order.id}`,
      identifier: { system: ORDERS, value: 'O-1' },
    });
    expect(await ground.find<Media>(caller, 'Media', early.id!)).toMatchObject({ basedOn: late.basedOn });
  });

  it('meet by the accession number among the photo’s own', async () => {
    const early = await send({ identifier: [numbered('A-1', 'ACSN')] });
    await place({ identifier: [numbered('A-1', 'ACSN'), numbered('O-1', 'PLAC')] });
    expect(await analysed()).toEqual([early.id]);
  });

  it('meet in the form of a document, too', async () => {
    const document = {
      resourceType: 'DocumentReference',
      status: 'current',
      type: { coding: [{ system: 'http://loinc.org', code: '72170-4' }] },
      subject: { reference: `Patient/${person}` },
      content: [{ attachment: { contentType: 'image/jpeg', data: await photoData() } }],
      context: { related: calling('O-1') },
    } as DocumentReference;
    const early = (await ground.post(caller, document)).resource;
    await place({ identifier: [numbered('O-1')] });
    expect(await analysed()).toEqual([early.id]);
  });

  it('meet once the order is an order of a wound assessment', async () => {
    const early = await send({ basedOn: calling('O-1') as Media['basedOn'] });
    const draft = await place({ identifier: [numbered('O-1')], status: 'draft' });
    expect(await analysed()).toEqual([]);
    await ground.put(caller, { ...draft, status: 'active' });
    expect(await analysed()).toEqual([early.id]);
  });

  it('do not meet in an order that was revoked', async () => {
    const order = await place({ identifier: [numbered('O-1')] });
    await ground.put(caller, { ...order, status: 'revoked' });
    const late = await send({ basedOn: calling('O-1') as Media['basedOn'] });
    expect(late.basedOn?.[0]?.reference).toBe(`ServiceRequest/${order.id}`);
    expect(await analysed()).toEqual([]);
  });

  it('meet in it once the order has got its number, and the place for a photo ends', async () => {
    caller = await ground.createCaller('pro', { autoAnalyze: true });
    person = (await ground.post(caller, patientOf())).resource.id!;
    const early = await send({ basedOn: calling('O-1') as Media['basedOn'] });
    const order = await place({});
    await ground.put(caller, { ...order, identifier: [numbered('O-1')] });
    expect(await analysed()).toEqual([early.id]);
    expect((await ground.tasks(caller)).map(({ status }) => status).sort()).toEqual(['accepted', 'cancelled']);
    expect(await bases()).toEqual([`ServiceRequest/${order.id}`, `ServiceRequest/${order.id}`]);
  });

  it('meet in an analysis that the photo has already, which is not charged twice', async () => {
    caller = await ground.createCaller('pro', { autoAnalyze: true });
    person = (await ground.post(caller, patientOf())).resource.id!;
    const early = await send({ basedOn: calling('O-1') as Media['basedOn'] });
    expect(await analysed()).toEqual([early.id]);
    await ground.get(JobRepository).claim(60, (await ground.jobs(caller))[0]!.id);
    const order = await place({ identifier: [numbered('O-1')] });
    expect(await analysed()).toEqual([early.id]);
    expect(await bases()).toEqual([`ServiceRequest/${order.id}`]);
    expect(await charged()).toBe(1);
  });
});

describe('a photo and an order by two doors', () => {
  const PID = 'PID|1||MRN-1^^^HOSP&1.2.3.4.5.6&ISO^MR';
  const NUMBER = 'O-1^EHR^1.2.3.4.5.7^ISO';
  const photoByHl7 = async (code: string) =>
    applyMessage(
      ground,
      caller,
      er7(
        'ORU^R01^ORU_R01',
        PID,
        `ORC|RE|${NUMBER}`,
        `OBR|1|${NUMBER}||${code}`,
        `OBX|1|ED|72170-4^Photographic image^LN|1|EHR^IM^JPEG^Base64^${await photoData()}||||||F`,
      ),
    );

  it('meet where the photo comes over FHIR and the order by HL7', async () => {
    const early = await send({ basedOn: calling('O-1', 'PLAC') as Media['basedOn'] });
    const order = er7('OMG^O19^OMG_O19', PID, `ORC|NW|${NUMBER}`, `OBR|1|${NUMBER}||39135-9^^LN`);
    expect(await applyMessage(ground, caller, order)).toEqual([]);
    expect(await analysed()).toEqual([early.id]);
  });

  it('meet where the photo comes by HL7 and the order over FHIR', async () => {
    expect(await photoByHl7('WUND^Wunddoku^L')).toEqual([]);
    const order = await place({ identifier: [numbered('O-1', 'PLAC')] });
    expect(await bases()).toEqual([`ServiceRequest/${order.id}`]);
    expect(await analysed()).toHaveLength(1);
  });

  it('are one order where the photo began it, and what it began is not asked again', async () => {
    expect(await photoByHl7('39135-9^^LN')).toEqual([]);
    const [begun] = await bases();
    const order = await place({ identifier: [numbered('O-1', 'PLAC')], note: [{ text: 'Diabetic' }] });
    expect(order.replaces).toEqual([{ reference: begun }]);
    expect(await analysed()).toHaveLength(1);
    expect(await bases()).toEqual([`ServiceRequest/${order.id}`]);
    const [imageId] = await analysed();
    expect((await ground.find<Media>(caller, 'Media', imageId!)).basedOn).toEqual([
      { reference: `ServiceRequest/${order.id}` },
    ]);
    const ended = await ground.find<ServiceRequest>(caller, 'ServiceRequest', begun!.split('/')[1]!);
    expect([ended.status, ended.identifier?.map(({ use }) => use)]).toEqual(['revoked', ['old']]);
    expect(await charged()).toBe(1);
  });
});
