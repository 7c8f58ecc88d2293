import { mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.js';
import { isAlive } from '../../support/gateway-process.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

describe('a gateway with its own embedded database, as npm start runs it', () => {
  let dataDir: string;
  let gateway: Gateway;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-embedded-'));
    gateway = await startGateway({ databaseUrl: null, dataDir });
  });
  afterAll(async () => {
    await gateway?.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  const postmasterPid = async () =>
    Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);

  it('makes a demo key at the first start that works as it is kept', async () => {
    const key = await eventually('the demo key', async () =>
      (await readFile(join(dataDir, 'demo-key'), 'utf8')).trim(),
    );
    expect(key).toMatch(/^sut_test_[0-9A-Za-z]{38}$/);
    const answer = await fetch(`${gateway.baseUrl}/api/v1/usage`, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
  });

  it('leaves no database and no inference process behind when it is killed, and starts clean with everything kept', async () => {
    const client = await gateway.createClient();
    const job = await client.analyse(await drawWoundPhoto());
    const left = [await postmasterPid(), ...gateway.process.inferencePids()];
    expect(left.length).toBeGreaterThanOrEqual(2);
    await gateway.kill();
    await eventually('what it started has ended too', () => left.every((pid) => !isAlive(pid)));

    gateway = await startGateway({ databaseUrl: null, dataDir });
    const again = client.at(gateway.baseUrl);
    expect((await again.readJob(job.id)).body).toMatchObject({
      status: 'completed',
      result: { wounds: job.result.wounds },
    });
    expect((await again.analyse(await drawWoundPhoto({ seed: 2 }))).status).toBe('completed');
  });

  it('encrypts what it keeps by a key file that it made, and does not start without it', async () => {
    const client = await gateway.createClient();
    await client.analyse(await drawWoundPhoto({ seed: 3 }));
    const file = join(dataDir, 'encryption.keys');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const entries = await readdir(join(dataDir, 'objects'), { recursive: true, withFileTypes: true });
    const objects = entries.filter((entry) => entry.isFile());
    expect(objects.length).toBeGreaterThanOrEqual(2);
    for (const { parentPath, name } of objects)
      expect((await readFile(join(parentPath, name))).subarray(0, 6).toString()).toBe('SUTURA');
    await gateway.kill();
    await rename(file, `${file}.away`);
    const without = await startGateway({ databaseUrl: null, dataDir, until: 'spawned' });
    expect((await without.process.exited).code).toBe(1);
    expect(without.logs).toContain('encryption.keys in the data folder does not open it');
    await without.stop();
    await rename(`${file}.away`, file);
    gateway = await startGateway({ databaseUrl: null, dataDir });
    expect((await client.at(gateway.baseUrl).analyse(await drawWoundPhoto({ seed: 4 }))).status).toBe('completed');
  });

  it('takes over a database that outlived its gateway', async () => {
    const client = await gateway.createClient();
    await gateway.kill();
    gateway = await startGateway({ databaseUrl: null, dataDir });
    expect((await client.at(gateway.baseUrl).request('GET', '/api/v1/usage')).status).toBe(200);
  });

  it('ends in order at SIGTERM, its database with it', async () => {
    const pids = [await postmasterPid(), ...gateway.process.inferencePids()];
    const exit = await gateway.stop();
    expect(exit).toEqual({ code: 0, signal: null });
    expect(pids.filter((pid) => isAlive(pid))).toEqual([]);
  });
});
