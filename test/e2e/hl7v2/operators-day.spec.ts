import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { fieldOf, Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

const ROOT = resolve(__dirname, '../../..');
const KEY = Buffer.alloc(32, 5).toString('base64');

interface Listed {
  readonly messageId: string;
  readonly state: string;
  readonly destinationId: string;
  readonly organizationId: string;
}

let gateway: Gateway;
let hospital: Hl7Hospital;
let folder: string;

beforeAll(async () => {
  gateway = await startGateway({ env: { SUTURA_LEASE_S: '30', HL7_ENCRYPTION_KEY: KEY } });
  hospital = await Hl7Hospital.open(gateway, {}, { receivingApplication: 'EHR', receivingFacility: 'HOPS' });
  folder = await mkdtemp(join(tmpdir(), 'sutura-operator-'));
});
afterAll(async () => {
  await hospital?.close();
  await gateway?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** As a person types it, save for npm. */
async function cli(...words: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: gateway.databaseUrl,
    SUTURA_DATA_DIR: gateway.dataDir,
    HL7_ENCRYPTION_KEY: KEY,
  };
  const child = spawn(process.execPath, ['scripts/cli.mjs', ...words], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, err };
}

async function asked<T>(...words: string[]): Promise<T> {
  const { code, out, err } = await cli(...words, '--json');
  if (code !== 0) throw new Error(`${words.join(' ')}: ${err}`);
  return JSON.parse(out) as T;
}

test('an order that the receiver refused is found by its number, its reason read, the destination corrected, the message sent, and the audit trail says who did it', async () => {
  const { receiver } = hospital;
  receiver.refusal = {
    condition: '103',
    rest: 'F-17^Facility not known^99EHR||MSH-6|Ask for the name of the facility',
    text: 'Not for this house',
  };
  receiver.modeOf = (message) => (fieldOf(message, 'MSH', 6) === 'HOSP' ? 'accept' : 'reject');
  expect(
    fieldOf(
      (await hospital.send(orderMessage({ order: 'ORD-77', mrn: 'MRN-77', photo: await drawWoundPhoto() })))!,
      'MSA',
      1,
    ),
  ).toBe('AA');

  const found = await eventually(
    'the parked message',
    async () => (await asked<Listed[]>('hl7', 'messages', '--out', '--order', 'ORD-77', '--state', 'parked'))[0],
  );
  expect((await cli('hl7', 'messages', '--out', '--order', 'ORD-78', '--json')).out.trim()).toBe('[]');
  for (const words of [
    ['--patient', 'mrn-77'],
    ['--error', 'facility not known'],
    ['--error', 'cr 103'],
    ['--control-id', 'SUT-000000001'],
  ]) {
    expect((await asked<Listed[]>('hl7', 'messages', '--out', ...words)).map(({ messageId }) => messageId)).toEqual([
      found.messageId,
    ]);
  }
  const [order] = await asked<Listed[]>(
    'hl7',
    'messages',
    '--patient',
    'MRN-77',
    '--type',
    'OMG^O19',
    '--from',
    '2026-01-01',
  );
  expect(order).toMatchObject({ state: 'processed' });

  const parked = (await cli('hl7', 'parked')).out;
  for (const said of ['MRN-77', 'ORD-77', 'CR 103', 'Not for this house; Ask for the name of the facility'])
    expect(parked).toContain(said);

  const shown = (await cli('hl7', 'show', '--id', found.messageId)).out;
  for (const said of [
    'parked for',
    'refused',
    'Not for this house',
    'Facility not known',
    'Ask for the name of the facility',
    'ORD-77',
  ])
    expect(shown).toContain(said);

  expect((await cli('hl7', 'destination', 'test', '--id', found.destinationId)).out).toMatch(/connected\s+yes/);
  const wrong = await cli(
    'hl7',
    'destination',
    'set',
    '--id',
    found.destinationId,
    '--settings',
    '{"receivingFacility":"A|B"}',
  );
  expect([wrong.code, wrong.err]).toEqual([
    1,
    expect.stringContaining('settings/receivingFacility must be free of delimiters'),
  ]);
  expect(
    (await cli('hl7', 'destination', 'set', '--id', found.destinationId, '--receiving-facility', 'HOSP')).code,
  ).toBe(0);
  expect((await cli('hl7', 'requeue', '--id', found.messageId)).code).toBe(0);
  await eventually(
    'the message to be delivered',
    async () => (await asked<Listed[]>('hl7', 'messages', '--out', '--order', 'ORD-77'))[0]?.state === 'delivered',
  );
  // What happened to it stays readable: codes in the trace, the receiver's words with the message.
  const traced = (await cli('trace', 'ORD-77')).out;
  expect(traced).toMatch(
    /hl7\.refused .*attempt=1 acknowledged=CR 103 parkedFor=refused\n.*hl7\.requeued .*by=operator:\S+\n.*hl7\.delivered .*attempts=2/,
  );
  expect(traced).not.toContain('Not for this house');
  const afterwards = (await cli('hl7', 'show', '--id', found.messageId)).out;
  expect(afterwards).toMatch(
    /refused +1 +CR 103 parked: refused +Not for this house; Ask for the name of the facility\n/,
  );
  expect(afterwards).toMatch(/requeued +operator:/);
  const [refused, taken] = hospital.resultsOf('ORD-77');
  expect([fieldOf(refused!, 'MSH', 6), fieldOf(taken!, 'MSH', 6), fieldOf(taken!, 'MSH', 10)]).toEqual([
    'HOPS',
    'HOSP',
    fieldOf(refused!, 'MSH', 10),
  ]);

  const into = join(folder, 'export');
  expect((await cli('hl7', 'export', '--out', '--order', 'ORD-77', '--into', into)).out).toContain('1 messages are in');
  expect(await readdir(into)).toEqual([`${found.messageId}.hl7`]);
  expect((await readFile(join(into, `${found.messageId}.hl7`))).toString()).toBe(taken);
  const again = await asked<{ replayed: number }>(
    'hl7',
    'replay',
    '--out',
    '--destination',
    found.destinationId,
    '--from',
    '2026-01-01',
    '--to',
    '2126-01-01',
  );
  expect(again.replayed).toBe(1);
  await hospital.result('ORD-77', 3);

  const trail = await asked<{ door: string; interaction: string; keyId: string; resources: string[] }[]>(
    'audit',
    'list',
    '--org',
    found.organizationId,
    '--env',
    'test',
  );
  const acts = trail
    .filter(({ door }) => door === 'cli')
    .map(({ keyId, interaction, resources }) => `${keyId} ${interaction} ${resources[0]}`);
  const who = `operator:${userInfo().username}`;
  for (const act of [
    `read MessageHeader/${found.messageId}`,
    `$test Endpoint/${found.destinationId}`,
    `update Endpoint/${found.destinationId}`,
    `$requeue MessageHeader/${found.messageId}`,
    `$replay MessageHeader/${found.messageId}`,
  ])
    expect(acts).toContain(`${who} ${act}`);
  expect(trail.filter(({ door, keyId }) => door === 'cli' && keyId !== who)).toEqual([]);
}, 240_000);

test('a photo that cannot be fetched is seen with its message: its state, the tries and why, and no address', async () => {
  const [{ organizationId }] = (await asked<Listed[]>('hl7', 'destination', 'list')) as [Listed];
  expect((await cli('org', 'set', '--org', organizationId, '--image-hosts', 'photos.invalid')).code).toBe(0);
  const pointed = orderMessage({ order: 'ORD-90', mrn: 'MRN-77', photo: Buffer.alloc(0) }).replace(
    /OBX\|1\|ED[^\r]*/,
    'OBX|1|RP|72170-4^Photographic image^LN|1|https://photos.invalid/MRN-77.jpg?token=1^EHR^IM^JPEG||||||F',
  );
  expect(fieldOf((await hospital.send(pointed))!, 'MSA', 1)).toBe('AA');
  const message = await eventually('a try that failed', async () => {
    const [found] = await asked<
      (Listed & { readonly photos: readonly { readonly state: string; readonly fault: string | null }[] })[]
    >('hl7', 'messages', '--order', 'ORD-90');
    return found?.photos[0]?.fault === null || found?.photos[0] === undefined ? undefined : found;
  });
  expect(message.photos).toEqual([
    {
      imageId: expect.any(String) as string,
      state: 'waiting',
      tries: 1,
      fault: 'ENOTFOUND',
      nextTryAt: expect.any(String) as string,
    },
  ]);
  expect(JSON.stringify(message)).not.toContain('photos.invalid');
  expect((await cli('hl7', 'messages', '--order', 'ORD-90')).out).toMatch(/1 waiting/);
  const shown = (await cli('hl7', 'show', '--id', message.messageId)).out;
  expect(shown).toMatch(/waiting after 1 try, ENOTFOUND, next try 2/);
});
