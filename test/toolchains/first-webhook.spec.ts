import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually.js';

const ROOT = join(__dirname, '../..');
const run = promisify(execFile);
/** What somebody has who has just come: neither a cache of this project nor one of its settings. */
const { PATH, HOME } = process.env;
const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const LIMIT_S = 600;
const PATIENCE_MS = LIMIT_S * 1000;

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return String(port);
}

describe('somebody who has just cloned the project', () => {
  let ground: string;
  const started: ChildProcess[] = [];

  beforeAll(async () => {
    ground = await mkdtemp(join(tmpdir(), 'sutura-newcomer-'));
  });
  afterAll(async () => {
    await Promise.all(
      started.map((child) => {
        const ended = new Promise((end) => child.once('close', end));
        return child.kill('SIGTERM') && child.exitCode === null ? ended : null;
      }),
    );
    await rm(ground, { recursive: true, force: true });
  });

  const start = (cwd: string, env: Record<string, string>, program: string, ...words: string[]): (() => string) => {
    const child = spawn(program, words, { cwd, env: { PATH, HOME, ...env } as NodeJS.ProcessEnv });
    started.push(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    return () => text;
  };

  it(
    `has a webhook that was verified after at most ${LIMIT_S / 60} minutes, by the commands of README and sandbox page`,
    async () => {
      const began = performance.now();
      const [project, own] = [join(ground, 'sutura'), join(ground, 'own')];
      const shell = (cwd: string, command: string, env: Record<string, string> = {}) =>
        run('sh', ['-ec', command], { cwd, env: { PATH, HOME, ...env } as NodeJS.ProcessEnv, maxBuffer: 1e8 });
      await shell(ground, `git clone --quiet "${ROOT}" sutura`);
      await shell(project, 'npm ci');
      const port = await freePort();
      start(project, { PORT: port, HL7_PORT: '0' }, 'npm', 'start');
      await shell(project, 'npm run build:sdk && npm pack ./sdk/javascript');

      await mkdir(own);
      await writeFile(join(own, 'package.json'), '{ "type": "module", "private": true }');
      await shell(own, 'npm install --offline --no-audit --no-fund ../sutura/sutura-sdk-*.tgz');
      await shell(own, 'cp ../sutura/sdk/javascript/example/webhook-http.mjs .');
      const received = start(own, { PORT: '0', WEBHOOK_SECRET: SECRET }, process.execPath, 'webhook-http.mjs');
      const receiver = await eventually('the receiver', () => /http:\S+/.exec(received())?.[0]);

      const key = await eventually(
        'the demo key',
        () =>
          readFile(join(project, '.data/demo-key'), 'utf8')
            .then((text) => text.trim())
            .catch(() => undefined),
        PATIENCE_MS,
      );
      const access = { SUTURA_API_KEY: key, SUTURA_BASE_URL: `http://127.0.0.1:${port}` };
      await eventually(
        'the gateway',
        async () => (await fetch(`${access.SUTURA_BASE_URL}/health/ready`).catch(() => null))?.ok === true,
        PATIENCE_MS,
      );
      const listen = ['@sutura/sdk', 'listen', '--forward-to', receiver];
      start(own, { ...access, SUTURA_WEBHOOK_SECRET: SECRET }, 'npx', ...listen);
      await shell(own, 'npx @sutura/sdk upload --sample clean-wound', access);
      await eventually('a verified report.ready', () => /^\S+ \d[\d.]*$/m.test(received()), PATIENCE_MS);

      const tookS = (performance.now() - began) / 1000;
      process.stdout.write(`From clone to the first verified webhook: ${tookS.toFixed(0)} s.\n`);
      expect(tookS).toBeLessThanOrEqual(LIMIT_S);
    },
    2 * PATIENCE_MS,
  );
});
