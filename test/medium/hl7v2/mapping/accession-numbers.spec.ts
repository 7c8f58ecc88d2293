import type { Media, ServiceRequest } from '@medplum/fhirtypes';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { FhirRecords } from '../../../../src/doors/fhir/records/fhir-records.js';
import type { Hl7Source } from '../../../../src/doors/hl7v2/mapping/reading/hl7-source.js';
import { applyMessage, er7 } from '../../../support/applied-message.js';
import { IntakeGround, photoData } from '../../../support/intake-ground.js';
import { mediaOf, orderOf, patientOf } from '../../../support/intake-resources.js';

const PANEL = '39135-9^Wound assessment panel^LN';
const LOCAL = 'WUND^Wunddoku^L';
const XRAY = 'XRF^X-ray of the foot^L';
const ORDERS = 'EHR^1.2.3.4.5.7^ISO';
const RIS = 'urn:oid:1.2.3.4.5.11';
const IN_RIS = 'RIS^1.2.3.4.5.11^ISO';
const ANNA = 'PID|1||MRN-1^^^HOSP&1.2.3.4.5.6&ISO^MR||Beispiel^Anna||19510714|F';
const BERND = 'PID|1||MRN-2^^^HOSP&1.2.3.4.5.6&ISO^MR||Muster^Bernd||19600101|M';
const TYPES = 'http://terminology.hl7.org/CodeSystem/v2-0203';
/** The order system writes the number into OBR-18, as many do; the camera's system knows it from its worklist. */
const BY_ORDERS: Partial<Hl7Source> = {
  id: '0199e1c4-7a10-7b3e-9c55-2f6d0a1b2c01',
  name: 'orders',
  accessionField: 'OBR-18',
  accessionSystem: RIS,
};
const BY_CAMERAS: Partial<Hl7Source> = { id: '0199e1c4-7a10-7b3e-9c55-2f6d0a1b2c02', name: 'cameras' };

const acsn = (value: string, system = RIS) => ({
  type: { coding: [{ system: TYPES, code: 'ACSN' }] },
  system,
  value,
});

let ground: IntakeGround;
let caller: Caller;
beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller();
});

const send = async (message: string, by: Partial<Hl7Source>): Promise<string[]> =>
  (await applyMessage(ground, caller, message, by)).map(({ code }) => code);

interface Sent {
  readonly pid?: string;
  readonly placer?: string;
  /** In OBR-18 of orders, in IPC-1 of photos. */
  readonly accession?: string;
  readonly code?: string;
  readonly seed?: number;
  readonly action?: string;
}
const order = (sent: Sent = {}, by: Partial<Hl7Source> = BY_ORDERS) => {
  const { pid = ANNA, placer = `O-1^${ORDERS}`, accession = 'A-1', code = PANEL, action = 'NW' } = sent;
  const fields = `OBR|1|${placer}||${code}|||||||||Diabetic|||||${accession}`;
  return send(er7('OMG^O19^OMG_O19', pid, `ORC|${action}|${placer}`, fields), by);
};
const photo = async ({ pid = ANNA, placer = '', accession = `A-1^${IN_RIS}`, code = LOCAL, seed = 1 }: Sent = {}) =>
  send(
    er7(
      'ORU^R01^ORU_R01',
      pid,
      `ORC|RE|${placer}`,
      `OBR|1|${placer}||${code}|||20260315094000+0100`,
      `IPC|${accession}|1|1.2.3|1`,
      `OBX|1|ED|72170-4^Photographic image^LN|1|EHR^IM^JPEG^Base64^${await photoData(seed)}||||||F`,
    ),
    BY_CAMERAS,
  );
const ordersWith = (value: string, system = RIS) =>
  ground.get(FhirRecords).findByIdentifier<ServiceRequest>(caller, 'ServiceRequest', [{ system, value }]);
const analysed = async () => (await ground.jobs(caller)).length;

describe('a photo and an order do not meet by an accession number', () => {
  it.each([
    ['of another patient', { pid: BERND }],
    ['of another domain', { accession: 'A-1^PACS^1.2.3.4.5.99^ISO' }],
    ['that is another', { accession: `A-2^${IN_RIS}` }],
  ])('%s', async (_, sent) => {
    expect(await order()).toEqual([]);
    await photo(sent);
    expect(await analysed()).toBe(0);
  });

  it('that the listener does not say to be one', async () => {
    expect(await order({ accession: `A-1^${IN_RIS}` }, { ...BY_ORDERS, accessionField: null })).toEqual([]);
    await photo();
    expect(await analysed()).toBe(0);
  });

  it('where the photo names another order by its placer’s number', async () => {
    expect(await order()).toEqual([]);
    await photo({ placer: `O-2^${ORDERS}` });
    expect(await analysed()).toBe(0);
  });

  it('where an order of something else has it: what the photo began stays as it is', async () => {
    await photo({ code: PANEL });
    expect(await order({ placer: `X-1^${ORDERS}`, code: XRAY })).toEqual(['order.not_an_analysis']);
    const both = await ordersWith('A-1');
    expect(both.map(({ intent }) => intent).sort()).toEqual(['filler-order', 'order']);
    expect(await analysed()).toBe(1);
  });

  it('to cancel what a photo began', async () => {
    await photo({ code: PANEL });
    expect(await order({ action: 'CA' })).toEqual(['order.unknown']);
    expect(await analysed()).toBe(1);
  });
});

describe('a photo and an order meet by an accession number', () => {
  it('where the order comes first', async () => {
    expect(await order()).toEqual([]);
    expect(await photo()).toEqual([]);
    const [found] = await ordersWith('A-1');
    const [job] = await ground.jobs(caller);
    const media = await ground.find<Media>(caller, 'Media', job!.imageId);
    expect(media.basedOn).toEqual([{ reference: `ServiceRequest/${found!.id!}` }]);
    expect(await analysed()).toBe(1);
  });

  it('where the photo comes first, and the order is the one that it began, with its requester’s words', async () => {
    await photo({ code: PANEL });
    expect(await order()).toEqual([]);
    const found = await ordersWith('A-1');
    expect(found).toMatchObject([{ intent: 'order', reasonCode: [{ text: 'Diabetic' }] }]);
    expect(found[0]!.identifier?.map(({ value }) => value)).toEqual(['O-1', 'A-1']);
    expect(await analysed()).toBe(1);
  });

  it('where the photo comes first and asked for nothing', async () => {
    expect(await photo()).toEqual([]);
    expect(await analysed()).toBe(0);
    expect(await order()).toEqual([]);
    expect(await analysed()).toBe(1);
  });

  it('that the order was given by a later change', async () => {
    expect(await order({ accession: '' })).toEqual([]);
    expect(await photo()).toEqual([]);
    expect(await order({ action: 'XO' })).toEqual([]);
    expect(await analysed()).toBe(1);
    expect((await ordersWith('A-1'))[0]?.identifier?.map(({ value }) => value)).toEqual(['O-1', 'A-1']);
  });

  it('with an order over FHIR, whichever comes first', async () => {
    const person = (await ground.post(caller, patientOf('MRN-1', { birthDate: '1951-07-14' }))).resource.id!;
    await photo();
    await ground.post(caller, orderOf(person, { identifier: [acsn('A-1')] }));
    expect(await analysed()).toBe(1);
    await photo({ seed: 2 });
    expect(await analysed()).toBe(2);
  });

  it('with a photo over FHIR', async () => {
    expect(await order()).toEqual([]);
    const [found] = await ordersWith('A-1');
    const patientId = found!.subject!.reference!.slice('Patient/'.length);
    const basedOn = [{ type: 'ServiceRequest', identifier: acsn('A-1') }] as Media['basedOn'];
    await ground.post(caller, mediaOf({ data: await photoData() }, { patientId }, { basedOn }));
    expect(await analysed()).toBe(1);
  });

  it('that an order of something else has as well, which is kept, and the photo is analysed once', async () => {
    expect(await order({ placer: `X-1^${ORDERS}`, code: XRAY })).toEqual(['order.not_an_analysis']);
    expect(await order()).toEqual([]);
    expect(await photo()).toEqual([]);
    expect(await order({ placer: `O-3^${ORDERS}` })).toEqual([]);
    expect([await analysed(), (await ordersWith('A-1')).length]).toEqual([1, 3]);
  });
});
