import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const ROOT = resolve(__dirname, '../../..');
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

/** As a person types it, save for npm. */
async function cli(...words: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, ['scripts/cli.mjs', ...words], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], DATABASE_URL: database.url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, err };
}

test('misuse is 2, a refusal is 1, success is 0 with nothing but the answer on standard output', async () => {
  expect(await cli('key', 'create', '--env', 'test')).toMatchObject({ code: 2, out: '' });
  const made = await cli('org', 'create', '--name', 'Clinic', '--plan', 'free', '--json');
  expect(made).toMatchObject({ code: 0 });
  const { organizationId } = JSON.parse(made.out) as { organizationId: string };
  const wish = ['key', 'create', '--org', organizationId, '--scopes', 'images:write', '--json'];
  const refused = await cli(...wish, '--env', 'live');
  expect([refused.code, refused.out, (JSON.parse(refused.err) as { error: { code: string } }).error.code]).toEqual([
    1,
    '',
    'key.live_not_allowed',
  ]);
  const key = await cli(...wish, '--env', 'test');
  expect(JSON.parse(key.out)).toMatchObject({
    organizationId,
    key: expect.stringMatching(/^sut_test_[0-9A-Za-z]{38}$/) as string,
  });
}, 180_000);
