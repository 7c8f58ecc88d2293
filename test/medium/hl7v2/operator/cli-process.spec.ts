import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { messageOf } from '../inbox/inbox-ground.js';

const ROOT = resolve(__dirname, '../../../..');
let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'sutura-hl7-cli-'));
});

afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

/** As a person types it, save for npm. */
async function cli(...words: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: database.url, SUTURA_DATA_DIR: folder };
  const child = spawn(process.execPath, ['scripts/cli.mjs', ...words], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, err };
}

test('a listener is made, a message is tried against the records, and nothing is kept', async () => {
  const { organizationId } = JSON.parse(
    (await cli('org', 'create', '--name', 'Clinic', '--plan', 'pro', '--json')).out,
  ) as { organizationId: string };
  const made = await cli(
    'hl7',
    'listener',
    'create',
    '--org',
    organizationId,
    '--env',
    'test',
    '--name',
    'ward',
    '--port',
    '2576',
    '--json',
  );
  const { listenerId } = JSON.parse(made.out) as { listenerId: string };
  const file = join(folder, 'message.hl7');
  await writeFile(
    file,
    messageOf({
      type: 'ADT^A08^ADT_A01',
      segments: ['EVN|A08|20260315094003', 'PID|1||MRN-1^^^HOSP^MR||Beispiel^Anna||19510714|F', 'PV1|1|O'],
    }),
  );

  const tried = await cli('hl7', 'dry-run', file, '--listener', listenerId, '--json');
  expect([tried.code, tried.err]).toEqual([0, '']);
  expect(JSON.parse(tried.out)).toMatchObject({
    kind: 'patient',
    acknowledgment: 'AA',
    bundle: { resourceType: 'Bundle', type: 'transaction' },
  });
  expect(JSON.parse((await cli('hl7', 'messages', '--json')).out)).toEqual([]);
  expect(await cli('hl7', 'show', '--id', listenerId)).toMatchObject({
    code: 1,
    err: expect.stringContaining('hl7.message_not_found') as string,
  });
}, 180_000);
