import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway, type Gateway } from '../../support/gateway.js';

describe('the first start with an embedded database', () => {
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-first-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  const start = (env: Readonly<Record<string, string>> = {}): Promise<Gateway> =>
    startGateway({ databaseUrl: null, dataDir, env: { HL7_PORT: '0', ...env } });

  it('keeps the demo key in the data folder and out of the log', async () => {
    const gateway = await start();
    const { keyFile } = (await gateway.process.waitForEvent('demo.ready')) as unknown as { keyFile: string };
    const key = (await readFile(keyFile, 'utf8')).trim();
    expect(key).toMatch(/^sut_test_[0-9A-Za-z]{38}$/);
    expect(gateway.logs).not.toContain(key);
    expect(gateway.process.events('demo.key_reachable')).toEqual([]);
    expect(
      (await fetch(`${gateway.baseUrl}/api/v1/wounds`, { headers: { authorization: `Bearer ${key}` } })).status,
    ).toBe(200);
    await gateway.stop();
  });

  it.each<Record<string, string>>([{ HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://wounds.example.org' }])(
    'warns, with %j, that the demo key without expiry opens the door to others, until it is revoked',
    async (env) => {
      const gateway = await start(env);
      const warning = await gateway.process.waitForEvent('demo.key_reachable');
      expect(warning).toMatchObject({
        level: 40,
        keyIds: [expect.stringMatching(/^[0-9a-f-]{36}$/)],
        remedy: 'key revoke --key ID',
      });
      await gateway.stop();
    },
  );

  it('a stop as soon as it listens waits for the key that is being made, and the next start makes none', async () => {
    const own = await mkdtemp(join(tmpdir(), 'sutura-first-'));
    const gateway = await startGateway({ databaseUrl: null, dataDir: own, env: { HL7_PORT: '0' } });
    gateway.process.signal('SIGTERM');
    expect(await gateway.process.exited).toEqual({ code: 0, signal: null });
    const key = await readFile(join(own, 'demo-key'), 'utf8');
    const next = await startGateway({ databaseUrl: null, dataDir: own, env: { HL7_PORT: '0' } });
    const answer = await fetch(`${next.baseUrl}/api/v1/wounds`, { headers: { authorization: `Bearer ${key.trim()}` } });
    expect(answer.status).toBe(200);
    await next.stop();
    expect(next.process.events('demo.ready')).toEqual([]);
    await rm(own, { recursive: true, force: true });
  });
});
