import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { fieldOf, Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

describe('a parked result that is made anew', () => {
  let gateway: SharedGateway;
  let hospital: Hl7Hospital;

  beforeAll(async () => {
    gateway = await sharedGateway();
    hospital = await Hl7Hospital.open(gateway);
  });
  afterAll(async () => {
    await hospital?.close();
  });

  const rowsOf = (text: string) => text.split('\r').filter((line) => line.startsWith('OBX|'));
  const areaOf = (text: string) =>
    rowsOf(text)
      .find((row) => row.includes('89260-4'))!
      .split('|');

  const groupsOf = (text: string) =>
    text.split('\r').flatMap((line) => {
      const fields = line.split('|');
      return fields[0] === 'OBR'
        ? [{ place: fields[1], photo: fields[3], service: fields[24], status: fields[25] }]
        : [];
    });

  /** The ids of an order's parked result and its destination. */
  async function parked(
    order: string,
    rows: readonly string[] = [],
  ): Promise<{ readonly id: string; readonly destinationId: string }> {
    hospital.receiver.mode = 'reject';
    hospital.receiver.refusal = { condition: '103', rest: 'OBX-3', text: 'Code not known' };
    const photo = await drawSmallWoundPhoto({ seed: order.length + Number(order.slice(-1)) });
    const answer = await hospital.send(
      orderMessage({ order, mrn: order, photo, rows }).replace(
        '39135-9^Wound assessment panel^LN',
        'WUND^Wunddoku^L^39135-9^^LN',
      ),
    );
    expect(fieldOf(answer!, 'MSA', 1)).toBe('AA');
    return eventually('the parked result', async () => {
      const { body } = await gateway.admin('GET', `/hl7/messages?direction=out&state=parked&order=${order}`);
      const [found] = (body as unknown as { items: { id: string; destinationId: string }[] }).items;
      return found;
    });
  }

  it('has codes, units and constants by today’s settings, and its old control id', async () => {
    const { id, destinationId } = await parked('ORD-1');
    const first = await hospital.result('ORD-1');
    expect(areaOf(first)[3]).toMatch(/^89260-4\^/);
    const settings = {
      codes: {
        observations: { '89260-4': 'WAREA^Wound area^L' },
        units: { cm2: 'SQCM' },
        services: { WUND: 'WNDASM' },
      },
      constants: { 'OBR-16': '4711^Ward', 'OBR-24': 'WND', 'OBX-23': 'Wound clinic' },
    };
    expect((await gateway.admin('PATCH', `/hl7/destinations/${destinationId}`, { settings })).status).toBe(200);
    hospital.receiver.mode = 'accept';
    expect((await gateway.admin('POST', `/hl7/messages/${id}/rebuild`)).status).toBe(204);
    const second = await hospital.result('ORD-1', 2);
    expect(fieldOf(second, 'MSH', 10)).toBe(fieldOf(first, 'MSH', 10));
    expect([areaOf(second)[3], areaOf(second)[6]]).toEqual([
      expect.stringMatching(/^WAREA\^Wound area\^L\^89260-4\^/),
      expect.stringMatching(/^SQCM\^/),
    ]);
    expect(areaOf(second)[5]).toBe(areaOf(first)[5]);
    expect([4, 16, 24].map((field) => fieldOf(second, 'OBR', field))).toEqual([
      expect.stringMatching(/^WNDASM\^\^\^39135-9\^/),
      '4711^Ward',
      'WND',
    ]);
    expect(areaOf(second)[23]).toBe('Wound clinic');
    expect(rowsOf(second)).toHaveLength(rowsOf(first).length);
  });

  it('tells of all photos of its order again, and of none that came later', async () => {
    const photoRow = async (seed: number): Promise<string> =>
      `ED|72170-4^Photographic image^LN|2|EHR^IM^JPEG^Base64^${(await drawSmallWoundPhoto({ seed })).toString('base64')}||||||F|||20260315094500+0100`;
    const { id, destinationId } = await parked('ORD-3', [await photoRow(77)]);
    const first = await hospital.result('ORD-3');
    const settings = { constants: { 'OBR-24': 'WOU' } };
    expect((await gateway.admin('PATCH', `/hl7/destinations/${destinationId}`, { settings })).status).toBe(200);
    const photo = await drawSmallWoundPhoto({ seed: 78 });
    const late = orderMessage({ order: 'ORD-3', mrn: 'ORD-3', photo, kind: 'ORU', control: 'LATE' });
    expect(fieldOf((await hospital.send(late))!, 'MSA', 1)).toBe('AA');
    await hospital.result('ORD-3', 2);
    hospital.receiver.mode = 'accept';
    expect((await gateway.admin('POST', `/hl7/messages/${id}/rebuild`)).status).toBe(204);
    const second = await hospital.result('ORD-3', 3);
    expect(fieldOf(second, 'MSH', 10)).toBe(fieldOf(first, 'MSH', 10));
    expect(groupsOf(first).map(({ place, service }) => [place, service])).toEqual([
      ['1', 'WND'],
      ['2', 'WND'],
    ]);
    expect(groupsOf(second)).toEqual(groupsOf(first).map((group) => ({ ...group, service: 'WOU' })));
    expect(await gateway.admin('POST', `/hl7/destinations/${destinationId}/rebuild`)).toMatchObject({
      body: { rebuilt: 1, left: [] },
    });
    expect(groupsOf(await hospital.result('ORD-3', 4))).toHaveLength(3);
  });

  it('stays parked where its report is gone, and says why', async () => {
    const { id, destinationId } = await parked('ORD-2');
    await queryDatabase(gateway.databaseUrl, 'update hl7_outbox set subject_id = gen_random_uuid() where id = $1', [
      id,
    ]);
    expect(await gateway.admin('POST', `/hl7/messages/${id}/rebuild`)).toMatchObject({
      status: 409,
      body: { code: 'hl7.not_rebuilt', detail: expect.stringContaining('erased') as string },
    });
    expect(await gateway.admin('POST', `/hl7/destinations/${destinationId}/rebuild`)).toMatchObject({
      status: 200,
      body: { rebuilt: 0, left: [{ messageId: id, code: 'hl7.not_rebuilt' }] },
    });
  });
});
