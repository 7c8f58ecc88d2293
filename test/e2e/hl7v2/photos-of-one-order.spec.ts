import { queryDatabase } from '../../support/database-query.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { eventually } from '../../support/eventually.js';
import { fieldOf, Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

let gateway: SharedGateway;
let hospital: Hl7Hospital;
beforeAll(async () => {
  gateway = await sharedGateway();
});

/** Segments of this name, as their fields. */
const segments = (message: string, name: string): string[][] =>
  message.split('\r').flatMap((line) => (line.startsWith(`${name}|`) ? [line.split('|')] : []));
const statuses = (message: string) => segments(message, 'OBR').map((fields) => [fields[1], fields[25]?.trim()]);
const photoOf = (seed: number) => drawSmallWoundPhoto({ seed });

async function open(destination: object): Promise<Hl7Hospital> {
  const opened = await Hl7Hospital.open(gateway, {}, { pdf: 'none', ...destination });
  const automatic = `update organizations set result_policy = 'auto-final' where id = $1`;
  await queryDatabase(gateway.databaseUrl, automatic, [opened.organizationId]);
  return opened;
}

async function orderOfTwo(order: string): Promise<string> {
  const second = (await photoOf(2)).toString('base64');
  const row = `ED|72170-4^Photographic image^LN|2|EHR^IM^JPEG^Base64^${second}||||||F|||20260315094500+0100`;
  return orderMessage({ order, photo: await photoOf(1), rows: [row] });
}

describe('an order with several photos', () => {
  afterEach(() => hospital?.close());

  it('has a message for each at a destination that wants that', async () => {
    hospital = await open({ grouping: 'photo' });
    expect(fieldOf((await hospital.send(await orderOfTwo('ORD-1')))!, 'MSA', 1)).toBe('AA');
    await hospital.result('ORD-1', 2);
    expect(hospital.resultsOf('ORD-1').map(statuses)).toEqual([[['1', 'F']], [['1', 'F']]]);
  });

  it('has one message once all are analysed, and all of it again, as a correction, with a photo that comes later', async () => {
    hospital = await open({});
    expect(fieldOf((await hospital.send(await orderOfTwo('ORD-2')))!, 'MSA', 1)).toBe('AA');
    const first = await hospital.result('ORD-2');
    expect(statuses(first)).toEqual([
      ['1', 'F'],
      ['2', 'F'],
    ]);
    expect(segments(first, 'PID')).toHaveLength(1);
    expect(new Set(segments(first, 'OBR').map((fields) => fields[3])).size).toBe(2);
    expect(new Set(segments(first, 'OBR').map((fields) => fields[2]))).toEqual(new Set(['ORD-2^EHR^1.2.3.4.5.7^ISO']));
    const late = orderMessage({ order: 'ORD-2', photo: await photoOf(3), kind: 'ORU', control: 'LATE' });
    expect(fieldOf((await hospital.send(late))!, 'MSA', 1)).toBe('AA');
    const second = await hospital.result('ORD-2', 2);
    expect(statuses(second)).toEqual([
      ['1', 'C'],
      ['2', 'C'],
      ['3', 'F'],
    ]);
    await eventually('nothing waits', async () => {
      const waits = `select from hl7_outbox where state = 'waiting' and destination_id in (select id from hl7_destinations where settings ->> 'port' = $1)`;
      return (await queryDatabase(gateway.databaseUrl, waits, [String(hospital.receiver.port)])).length === 0
        ? true
        : undefined;
    });
    expect(hospital.resultsOf('ORD-2')).toHaveLength(2);
  });
});
