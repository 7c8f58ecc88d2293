import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placesOf } from '../../support/find-bytes.js';
import { queryDatabase } from '../../support/database-query.js';
import { runCommand } from '../../support/command-line.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { Hl7Hospital, orderMessage } from '../../support/hl7-hospital.js';
import { createTestDatabase } from '../../support/test-database.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

let ground: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let env: Record<string, string>;
let gateway: Gateway;

const keyFile = () => join(ground, 'keys');
const start = (more: Record<string, string> = {}) =>
  startGateway({ databaseUrl: database.url, dataDir: join(ground, 'data'), env: { ...env, ...more } });
const command = (...words: string[]) =>
  runCommand(words, { ...env, DATABASE_URL: database.url, SUTURA_DATA_DIR: gateway.dataDir });

beforeAll(async () => {
  ground = await mkdtemp(join(tmpdir(), 'sutura-encryption-keys-'));
  await writeFile(keyFile(), `first ${randomBytes(32).toString('base64')}\n`);
  env = { SUTURA_ENCRYPTION_KEY_FILE: keyFile() };
  database = await createTestDatabase();
  gateway = await start();
});
afterAll(async () => {
  await gateway?.stop();
  await database?.drop();
  await rm(ground, { recursive: true, force: true, maxRetries: 5 });
});

test('its key is changed while it runs, and the old one retired', async () => {
  const hospital = await Hl7Hospital.open(gateway);
  await hospital.send(orderMessage({ order: 'O-1', photo: await drawWoundPhoto() }));
  await hospital.result('O-1');
  await hospital.close();
  const { client } = hospital;
  const before = await client.analyse(await drawWoundPhoto({ seed: 6 }));
  const rotated = await command('encryption', 'rotate', '--json');
  const { key, failed } = JSON.parse(rotated.out) as { key: string; failed: string[] };
  expect([rotated.code, rotated.err, failed]).toEqual([0, '', []]);
  const messages = () => command('encryption', 'status', '--json').then(({ out }) => JSON.parse(out) as unknown);
  expect(await messages()).toMatchObject({
    keys: [
      { id: key, state: 'current', messages: true },
      { id: 'first', state: 'kept', objects: 0, messages: false },
    ],
    plain: 0,
  });
  expect(await command('encryption', 'retire', '--key', 'first')).toMatchObject({ code: 0 });
  const overlay = await client.request('GET', `/api/v1/analysis/jobs/${before.id}/artifacts/overlay`);
  expect(overlay.status).toBe(200);
  expect((await client.analyse(await drawWoundPhoto({ seed: 7 }))).status).toBe('completed');
  const message = await queryDatabase<{ id: string }>(database.url, 'select id from hl7_inbound');
  expect((await command('hl7', 'show', '--id', message[0]!.id)).out).toContain('PID|1');
});

test('switched off, it reads what was encrypted, and writes as before', async () => {
  const client = await gateway.createClient();
  const before = await client.analyse(await drawWoundPhoto({ seed: 4 }));
  await gateway.stop();
  gateway = await start({ SUTURA_ENCRYPTION: 'off' });
  const again = client.at(gateway.baseUrl);
  const overlay = await again.request('GET', `/api/v1/analysis/jobs/${before.id}/artifacts/overlay`);
  expect(overlay.status).toBe(200);
  const photo = await drawWoundPhoto({ seed: 5 });
  await again.analyse(photo);
  expect(await placesOf(photo, { databaseUrl: database.url, dataDir: gateway.dataDir })).toEqual(['original']);
  await gateway.stop();
  gateway = await start();
  expect((await again.at(gateway.baseUrl).analyse(photo)).status).toBe('completed');
});
