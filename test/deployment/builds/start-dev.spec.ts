import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CheckoutCopy } from '../../support/checkout-copy.js';
import { eventually } from '../../support/eventually.js';
import { GatewayProcess, isAlive } from '../../support/gateway-process.js';

const CATALOGUE = 'src/core/errors/catalogue.ts';
const BROKEN = 'const = ;';

describe('npm run start:dev', () => {
  let copy: CheckoutCopy;
  let dataDir: string;
  let command: GatewayProcess;
  let url: string;

  beforeAll(async () => {
    copy = await CheckoutCopy.make();
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-start-dev-'));
    const { PATH, HOME } = process.env;
    const variables = { PATH, HOME, PORT: '0', HL7_PORT: '0', SUTURA_DATA_DIR: dataDir };
    command = new GatewayProcess(variables, { program: 'npm', words: ['run', 'start:dev'], cwd: copy.folder });
    url = String((await command.waitForEvent('server.listening', 110_000)).url);
  });
  afterAll(async () => {
    if (command?.hasExited === false) {
      command.signal('SIGTERM');
      await command.exited;
    }
    await copy?.remove();
    if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  const databasePid = (): number =>
    Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
  const titleAt = async (base: string): Promise<string> =>
    ((await (await fetch(`${base}/nowhere`)).json()) as { title: string }).title;
  /** The address of the gateway that was started as the nth. */
  const nth = (count: number): Promise<string> =>
    eventually(`start ${count}`, () => String(command.events('server.listening')[count - 1]?.url ?? '') || null);

  it('goes on with the gateway before where a source does not compile, and names it', async () => {
    copy.change(CATALOGUE, BROKEN);
    await eventually('the name of the source', () => command.text.includes(`${CATALOGUE}: `));
    expect(await titleAt(url)).toBe('No such route');
    copy.replace(CATALOGUE, `${BROKEN}\n`, '');
  });

  it('serves what was saved, with the database that runs', async () => {
    const before = databasePid();
    copy.replace(CATALOGUE, 'No such route', 'Saved just now');
    url = await nth(2);
    expect(await titleAt(url)).toBe('Saved just now');
    expect(databasePid()).toBe(before);
    expect(command.events('database.started')).toHaveLength(1);
  });

  it('starts the gateway again with the next change after one with which it ended', async () => {
    copy.change('src/composition/gateway.ts', 'throw new Error("ends at once");');
    await eventually('the end of the gateway', () => command.text.includes('The gateway ended (code 1)'));
    copy.replace('src/composition/gateway.ts', 'throw new Error("ends at once");\n', '');
    url = await nth(3);
    expect(await titleAt(url)).toBe('Saved just now');
    // Errors lead to the TypeScript.
    expect(command.text).toMatch(/at .*src\/composition\/gateway\.ts:1:/);
  });

  it('ends with SIGTERM in order, the database last', async () => {
    const database = databasePid();
    command.signal('SIGTERM');
    expect(await command.exited).toEqual({ code: 0, signal: null });
    expect(command.lines.at(-1)?.event).toBe('database.stopped');
    expect(isAlive(database)).toBe(false);
    await expect(fetch(`${url}/health/live`)).rejects.toThrow('fetch failed');
  });
});
