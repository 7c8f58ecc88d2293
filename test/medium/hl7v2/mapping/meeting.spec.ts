import type { Encounter, Media, ServiceRequest, Task } from '@medplum/fhirtypes';
import type { Caller } from '../../../../src/core/tenancy/api-key.js';
import { JobRepository } from '../../../../src/core/analysis/job.repository.js';
import { FhirRecords } from '../../../../src/doors/fhir/records/fhir-records.js';
import type { Hl7Source } from '../../../../src/doors/hl7v2/mapping/reading/hl7-source.js';
import type { Hl7Problem } from '../../../../src/standards/hl7v2/problems/hl7-problem.js';
import { applyAtOnce, applyMessage, er7 } from '../../../support/applied-message.js';
import { IntakeGround, photoData } from '../../../support/intake-ground.js';
import { patientOf } from '../../../support/intake-resources.js';

const PANEL = '39135-9^Wound assessment panel^LN';
const LOCAL = 'WUND^Wunddoku^L';
const ORDERS = 'EHR^1.2.3.4.5.7^ISO';
const ANNA = 'PID|1||MRN-1^^^HOSP&1.2.3.4.5.6&ISO^MR||Beispiel^Anna||19510714|F';
const BERND = 'PID|1||MRN-2^^^HOSP&1.2.3.4.5.6&ISO^MR||Muster^Bernd||19600101|M';
const VISIT = 'PV1|1|I|W3^301^1^HOSP||||||||||||||||V-9^^^HOSP&1.2.3.4.5.10&ISO^VN';
const NURSE = '31^Pflege^Petra^^^^^^HOSP&1.2.3.4.5.9&ISO';
/** Orders and photos come by interfaces of their own. */
const BY_ORDERS: Partial<Hl7Source> = { id: '0199e1c4-7a10-7b3e-9c55-2f6d0a1b2c01', name: 'orders' };
const BY_CAMERAS: Partial<Hl7Source> = { id: '0199e1c4-7a10-7b3e-9c55-2f6d0a1b2c02', name: 'cameras' };

/** A message changes nothing of her record. */
const KNOWN = patientOf('MRN-1', {
  name: [{ family: 'Beispiel', given: ['Anna'] }],
  birthDate: '1951-07-14',
  gender: 'female',
});

interface Sent {
  readonly pid?: string;
  readonly placer?: string;
  readonly filler?: string;
  readonly code?: string;
  readonly seed?: number;
}

let ground: IntakeGround;
let caller: Caller;
beforeAll(async () => {
  ground = await IntakeGround.open();
});
afterAll(() => ground?.close());
beforeEach(async () => {
  caller = await ground.createCaller();
});

async function photoMessage({ pid = ANNA, placer = `O-1^${ORDERS}`, filler = '', code = PANEL, seed = 1 }: Sent) {
  return er7(
    'ORU^R01^ORU_R01',
    pid,
    `ORC|RE|${placer}|${filler}`,
    `OBR|1|${placer}|${filler}|${code}|||20260315094000+0100`,
    `OBX|1|ED|72170-4^Photographic image^LN|1|EHR^IM^JPEG^Base64^${await photoData(seed)}||||||F`,
  );
}
function orderMessage({ pid = ANNA, placer = `O-1^${ORDERS}`, filler = '', code = PANEL }: Sent, action = 'NW') {
  return er7(
    'OMG^O19^OMG_O19',
    pid,
    VISIT,
    `ORC|${action}|${placer}|${filler}||||||20260315090000+0100|||${NURSE}`,
    `OBR|1|${placer}|${filler}|${code}|||||||||Diabetic`,
    'NTE|1|P|Offloading since February',
  );
}
async function send(message: string, by: Partial<Hl7Source>): Promise<string[]> {
  return (await applyMessage(ground, caller, message, by)).map(({ code }: Hl7Problem) => code);
}
const photo = async (sent: Sent = {}) => send(await photoMessage(sent), BY_CAMERAS);
const order = (sent: Sent = {}, action = 'NW') => send(orderMessage(sent, action), BY_ORDERS);
const ordersWith = async (value = 'O-1', system = 'urn:oid:1.2.3.4.5.7') =>
  ground.get(FhirRecords).findByIdentifier<ServiceRequest>(caller, 'ServiceRequest', [{ system, value }]);
const theOrder = async () => (await ordersWith())[0]!;
const photos = async (): Promise<Media[]> => {
  const jobs = await ground.jobs(caller);
  return Promise.all(jobs.map(({ imageId }) => ground.find<Media>(caller, 'Media', imageId)));
};
const contexts = async () => (await ground.jobs(caller)).map(({ clinicalContext }) => clinicalContext);
const CONTEXT = 'Diabetic\nOffloading since February';

describe('a late order', () => {
  it('of another patient does not get the photo that calls its number', async () => {
    expect(await photo({ code: LOCAL })).toEqual([]);
    expect(await order({ pid: BERND })).toEqual([]);
    expect(await ground.jobs(caller)).toEqual([]);
    expect((await ground.tasks(caller)).map(({ status, input }: Task) => [status, input])).toEqual([
      ['received', expect.not.arrayContaining([expect.objectContaining({ valueReference: expect.anything() })])],
    ]);
  });

  it('of another placer does not get it either, whose number is the same', async () => {
    await photo({ code: LOCAL, placer: `O-1^LAB^1.2.3.4.5.99^ISO` });
    expect(await order()).toEqual([]);
    expect(await ground.jobs(caller)).toEqual([]);
    expect(await order({ placer: `O-1^LAB^1.2.3.4.5.99^ISO` })).toEqual([]);
    expect(await ground.jobs(caller)).toHaveLength(1);
    expect([await ordersWith(), await ordersWith('O-1', 'urn:oid:1.2.3.4.5.99')].flat()).toHaveLength(2);
  });

  it('does not revive what was cancelled', async () => {
    expect(await photo()).toEqual([]);
    expect(await order({}, 'CA')).toEqual([]);
    expect(await order()).toEqual(['order.exists']);
    expect((await theOrder()).status).toBe('revoked');
  });

  it('has the photo analysed that asked for nothing by itself, once, with what the order says', async () => {
    expect(await photo({ code: LOCAL })).toEqual([]);
    expect(await ground.jobs(caller)).toEqual([]);
    expect(await order()).toEqual([]);
    expect(await contexts()).toEqual([CONTEXT]);
    const { id } = await theOrder();
    expect((await photos())[0]?.basedOn).toEqual([
      expect.objectContaining({
        reference: `ServiceRequest/${id}`,
        identifier: expect.objectContaining({ value: 'O-1' }),
      }),
    ]);
    expect((await ground.tasks(caller)).map(({ basedOn }) => basedOn)).toEqual([
      [{ reference: `ServiceRequest/${id}` }],
    ]);
    expect(await order()).toEqual(['order.exists']);
    expect(await ground.jobs(caller)).toHaveLength(1);
  });

  it('completes what its photo began: requester, visit, reasons and notes; again it is known', async () => {
    expect(await photo()).toEqual([]);
    const begun = await theOrder();
    expect(begun).toMatchObject({ intent: 'filler-order' });
    expect(begun.requester).toBeUndefined();
    expect(await order()).toEqual([]);
    const completed = await theOrder();
    expect(completed).toMatchObject({
      id: begun.id,
      intent: 'order',
      status: 'active',
      requester: { display: expect.stringContaining('Pflege') },
      reasonCode: [{ text: 'Diabetic' }],
      note: [{ text: 'Offloading since February' }],
    });
    const visit = completed.encounter!.reference!.split('/')[1]!;
    expect((await ground.find<Encounter>(caller, 'Encounter', visit)).identifier?.[0]?.value).toBe('V-9');
    expect(await ground.jobs(caller)).toHaveLength(1);
    expect(await order()).toEqual(['order.exists']);
  });

  it('completes it just so while the analysis is under way, which stays as it was asked', async () => {
    await photo();
    await ground.get(JobRepository).claim(60, (await ground.jobs(caller))[0]!.id);
    expect(await order()).toEqual([]);
    expect((await theOrder()).requester).toBeDefined();
    expect(await contexts()).toEqual([null]);
  });

  it('tells the analysis that has not begun what it was not told', async () => {
    await photo();
    await order({}, 'HD');
    expect(await order({ code: LOCAL })).toEqual([]);
    const after = await theOrder();
    expect([after.intent, after.status]).toEqual(['order', 'on-hold']);
    expect(after.code?.coding?.map(({ code }) => code)).toEqual(['WUND', '39135-9']);
  });

  it('finds the photo by the number of its filler', async () => {
    const filler = 'F-7^PACS^1.2.3.4.5.20^ISO';
    await photo({ placer: '', filler, code: LOCAL, seed: 1 });
    await photo({ placer: '', filler: 'F-8^PACS^1.2.3.4.5.20^ISO', seed: 2 });
    expect(await order({ filler })).toEqual([]);
    expect(await order({ placer: `O-2^${ORDERS}`, filler: 'F-8^PACS^1.2.3.4.5.20^ISO' })).toEqual([]);
    expect(await ground.jobs(caller)).toHaveLength(2);
    expect((await ordersWith('O-2'))[0]).toMatchObject({ intent: 'order', requester: expect.anything() });
  });

  it('has one photo analysed that came twice', async () => {
    await photo({ code: LOCAL });
    await photo({ code: LOCAL });
    await photo({ code: LOCAL, seed: 2 });
    await order();
    expect(await ground.jobs(caller)).toHaveLength(2);
  });

  it('and its photo at the same moment meet, whichever is first', async () => {
    await ground.post(caller, KNOWN);
    const asked = [await photoMessage({ code: LOCAL }), orderMessage({})];
    expect((await applyAtOnce(ground, caller, asked)).flat()).toEqual([]);
    expect(await ground.jobs(caller)).toHaveLength(1);
  });

  it('and the photo that begins it at the same moment are one order, of which nothing is lost', async () => {
    await ground.post(caller, KNOWN);
    const asked = [await photoMessage({}), orderMessage({})];
    const answers = await applyAtOnce(ground, caller, asked);
    for (const [index, problems] of answers.entries())
      if (problems.length > 0) {
        expect(problems.map(({ code }) => code)).toEqual([
          expect.stringMatching(/^fhir\.(version_conflict|duplicate)$/),
        ]);
        expect(await applyMessage(ground, caller, asked[index]!)).toEqual([]);
      }
    expect(await ordersWith()).toHaveLength(1);
    expect(await theOrder()).toMatchObject({ intent: 'order', requester: expect.anything() });
    expect(await ground.jobs(caller)).toHaveLength(1);
  });
});

describe('an order of something else', () => {
  it('becomes an analysis where its photo comes as the wound assessment', async () => {
    expect(await order({ code: LOCAL })).toEqual(['order.not_an_analysis']);
    expect(await photo()).toEqual([]);
    expect(await contexts()).toEqual([CONTEXT]);
  });
});
