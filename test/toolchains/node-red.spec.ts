import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from '../support/eventually.js';
import { describeWith, isThere } from './toolchain.js';

const ROOT = resolve(__dirname, '../..');
const FLOW = join(ROOT, 'docs/recipes/node-red.flow.json');
const PLACE = join(ROOT, '.cache/toolchains/node-red');
const MODULES = join(PLACE, 'node_modules');
const KEY = randomBytes(32);
const BODY = '{"type":"report.ready","timestamp":"2026-01-05T08:00:00.000Z","data":{"reportId":"r-1"}}';
const REPORT = {
  id: 'r-1',
  version: 1,
  status: 'preliminary',
  clinicalContext: 'Heel, left, of the patient.',
  findings: { figures: { area: { cm2: { value: 1.5 } } }, quality: { acceptable: true } },
  comparison: { attention: ['scale_is_a_guess'] },
};

/** Kept in .cache, so that a later night needs no network. */
function hasNodeRed(): boolean {
  if (existsSync(join(MODULES, 'node-red'))) return true;
  mkdirSync(PLACE, { recursive: true });
  const words = [
    'install',
    '--prefix',
    PLACE,
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    'node-red@4',
  ];
  return isThere('npm', ...words) && existsSync(join(MODULES, 'node-red'));
}

describeWith({ 'Node-RED (npm does not give it here)': !hasNodeRed() })('the flow for Node-RED', () => {
  const asked: (string | undefined)[][] = [];
  let service: Server;
  let folder: string;
  let child: ChildProcess;
  let said = '';
  let url: string;

  beforeAll(async () => {
    service = createServer((request, response) => {
      asked.push([request.url, request.headers.authorization]);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(REPORT));
    });
    await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
    folder = await mkdtemp(join(tmpdir(), 'sutura-node-red-'));
    const env = {
      ...process.env,
      WEBHOOK_SECRET: `whsec_${KEY.toString('base64')}`,
      SUTURA_BASE_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
      SUTURA_API_KEY: 'a-key',
    };
    const program = join(ROOT, 'test/fixtures/generators/run_node_red.mjs');
    child = spawn(process.execPath, [program, MODULES, FLOW, folder], { env });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const base = await eventually('the flow runs', () => {
      if (child.exitCode !== null) throw new Error(said.slice(-2000));
      return said.includes('the flow runs') ? /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] : undefined;
    });
    url = `${base}/sutura`;
  }, 180_000);
  afterAll(async () => {
    child?.stdin?.end();
    service?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const nowS = (): number => Math.floor(performance.timeOrigin / 1000 + performance.now() / 1000);
  const post = async (id: string, atS: number, key = KEY, body = BODY): Promise<number> => {
    const signature = createHmac('sha256', key).update(`${id}.${atS}.${BODY}`).digest('base64');
    const headers = { 'webhook-id': id, 'webhook-timestamp': String(atS), 'webhook-signature': `v1,${signature}` };
    return (await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }))
      .status;
  };

  it('refuses what is forged, changed, late or early, and asks for no report', async () => {
    expect([
      await post('forged', nowS(), randomBytes(32)),
      await post('changed', nowS(), KEY, `${BODY} `),
      await post('late', nowS() - 310),
      await post('early', nowS() + 330),
      asked.length,
    ]).toEqual([400, 400, 400, 400, 0]);
  });

  it('reads the report of a signed event once, with the key, and shows no clinical text', async () => {
    expect([await post('one', nowS()), await post('one', nowS())]).toEqual([204, 204]);
    await eventually('the report is shown', () => (said.includes('scale_is_a_guess') ? true : undefined));
    expect(await post('two', nowS())).toBe(204);
    await eventually('the second report is asked for', () => (asked.length > 1 ? true : undefined));
    expect(asked).toEqual(Array.from({ length: 2 }, () => ['/api/v1/reports/r-1', 'Bearer a-key']));
    expect(said).not.toContain(REPORT.clinicalContext);
  });
});
