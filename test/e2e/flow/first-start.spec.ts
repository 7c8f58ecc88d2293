import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway, type Gateway } from '../../support/gateway.js';

describe('the first start with an embedded database', () => {
  let dataDir: string;
  let first: Gateway;
  let next: Gateway;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-first-'));
    first = await start();
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  const start = (env: Readonly<Record<string, string>> = {}): Promise<Gateway> =>
    startGateway({ databaseUrl: null, dataDir, env: { HL7_PORT: '0', ...env } });

  it('a stop as soon as it listens waits for the key that is being made, and the next start makes none', async () => {
    first.process.signal('SIGTERM');
    expect(await first.process.exited).toEqual({ code: 0, signal: null });
    const key = (await readFile(join(dataDir, 'demo-key'), 'utf8')).trim();
    next = await start({ PUBLIC_URL: 'https://wounds.example.org' });
    const answer = await fetch(`${next.baseUrl}/api/v1/wounds`, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
    await next.stop();
    expect(next.process.events('demo.ready')).toEqual([]);
  });

  it('keeps the demo key in the data folder and out of the log', async () => {
    const { keyFile } = (await first.process.waitForEvent('demo.ready')) as unknown as { keyFile: string };
    expect(keyFile).toBe(join(dataDir, 'demo-key'));
    const key = (await readFile(keyFile, 'utf8')).trim();
    expect(key).toMatch(/^sut_test_[0-9A-Za-z]{38}$/);
    expect([first, next].map(({ logs }) => logs.includes(key))).toEqual([false, false]);
    expect(first.process.events('demo.key_reachable')).toEqual([]);
  });

  it.each<Record<string, string>>([{ HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://wounds.example.org' }])(
    'warns, with %j, that the demo key without expiry opens the door to others, until it is revoked',
    async (env) => {
      const gateway = env['HOST'] === undefined ? next : await start(env);
      const warning = await gateway.process.waitForEvent('demo.key_reachable');
      expect(warning).toMatchObject({
        level: 40,
        keyIds: [expect.stringMatching(/^[0-9a-f-]{36}$/)],
        remedy: 'key revoke --key ID',
      });
      await gateway.stop();
    },
  );
});
