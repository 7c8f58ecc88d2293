import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { GatewayProcess, isAlive } from '../../support/gateway-process.js';

const ROOT = resolve(__dirname, '../../..');

/** What `npm start` leads to: the address that answers, and the server of the embedded database. */
interface Started {
  readonly npm: GatewayProcess;
  readonly url: string;
  readonly databasePid: number;
}

describe('npm start', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-npm-start-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));

  async function start(): Promise<Started> {
    const { PATH, HOME } = process.env;
    const variables = { PATH, HOME, PORT: '0', HL7_PORT: '0', SUTURA_DATA_DIR: dataDir, SUTURA_WORKER_PROCESSES: '1' };
    const npm = new GatewayProcess(variables, { program: 'npm', words: ['start'], cwd: ROOT, detached: true });
    const { url } = await npm.waitForEvent('server.listening', 110_000);
    const databasePid = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
    expect((await fetch(`${String(url)}/health/live`)).status).toBe(200);
    expect(isAlive(databasePid)).toBe(true);
    return { npm, url: String(url), databasePid };
  }

  it.each<[string, NodeJS.Signals, (npm: GatewayProcess) => number]>([
    ['a SIGTERM to npm', 'SIGTERM', (npm) => npm.pid],
    ['Ctrl-C, a SIGINT to all that the terminal started', 'SIGINT', (npm) => -npm.pid],
  ])('ends with %s in order: its work, its database, then npm with code 0', async (_, signal, receiverOf) => {
    const { npm, url, databasePid } = await start();
    process.kill(receiverOf(npm), signal);
    expect(await npm.exited).toEqual({ code: 0, signal: null });
    const ends = npm.lines.map(({ event }) => event).filter((event) => /^(server|database)\.stop/.test(event));
    expect(ends).toEqual(['server.stopping', 'database.stopped', 'server.stopped']);
    expect(isAlive(databasePid)).toBe(false);
    await expect(fetch(`${url}/health/live`)).rejects.toThrow('fetch failed');
  });
});
