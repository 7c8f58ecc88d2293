import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { describeWith, isThere } from './toolchain.js';

const ROOT = resolve(__dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/sandbox.md'), 'utf8');
const run = promisify(execFile);
const LIMIT_S = 600;
const PATIENCE_MS = LIMIT_S * 1000;
/** What somebody has who has just come: neither a key nor a setting of this project. */
const { PATH, HOME } = process.env;

/** The commands of the page, a line each; the port that it names for the receiver is exchanged for a free one. */
function documented(port: string): { readonly preparing: string; readonly [name: string]: string } {
  const section = PAGE.split('\n## On the command line\n')[1]?.split('\n## ')[0] ?? '';
  const [first = [], second = []] = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) =>
    block!.replaceAll('8080', port).trim().split('\n'),
  );
  expect([first.length, second.length]).toEqual([5, 2]);
  const [receiver, trigger] = second;
  return { preparing: first.slice(0, -1).join('\n'), listen: first.at(-1)!, receiver: receiver!, trigger: trigger! };
}

/** Programs in terminals of their own, each a group of processes that ends as a whole. */
class Terminals {
  private readonly started: ChildProcess[] = [];

  /** What it has printed so far; throws once it has ended. */
  start(cwd: string, command: string, env: Record<string, string>): () => string {
    const child = spawn('sh', ['-ec', command], {
      cwd,
      env: { PATH, HOME, ...env } as NodeJS.ProcessEnv,
      detached: true,
    });
    this.started.push(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    return () => {
      if (child.exitCode !== null) throw new Error(`${command}\n${text.slice(-2000)}`);
      return text;
    };
  }

  async close(): Promise<void> {
    const running = this.started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    await Promise.all(
      running.map((child) => {
        const ended = new Promise((end) => child.once('close', end));
        process.kill(-child.pid!, 'SIGTERM');
        return ended;
      }),
    );
  }
}

describeWith({ 'git and a checkout': !isThere('git', '--version') || !existsSync(join(ROOT, '.git')) })(
  'somebody who has just cloned the project',
  () => {
    const terminals = new Terminals();
    let ground: string;

    beforeAll(async () => {
      ground = await mkdtemp(join(tmpdir(), 'sutura-newcomer-'));
      // Where root runs it, PostgreSQL is another user's, who has to get in.
      await chmod(ground, 0o755);
    });
    afterAll(async () => {
      await terminals.close();
      await rm(ground, { recursive: true, force: true });
    }, 60_000);

    it(
      `has seen a webhook verified after at most ${LIMIT_S / 60} minutes, by the commands of README and sandbox page`,
      async () => {
        const began = performance.now();
        const tookS = (): string => `${Math.round((performance.now() - began) / 1000)} s`;
        const project = join(ground, 'sutura');
        const port = String(await freePort());
        const env = { PORT: port };
        const shell = (cwd: string, command: string) =>
          run('sh', ['-ec', command], { cwd, env: { PATH, HOME, ...env } as NodeJS.ProcessEnv, maxBuffer: 1e8 });
        const page = documented(String(await freePort()));
        await shell(ground, `git clone --quiet "${ROOT}" sutura`);
        await shell(project, 'npm ci');
        const installed = tookS();
        const gateway = terminals.start(project, 'exec npm start', { ...env, HL7_PORT: '0' });
        await eventually('the gateway', () => gateway().includes('demo.ready') || undefined, PATIENCE_MS);
        const runs = tookS();

        // Each in a terminal of its own: variables that one exported are not there in the next.
        const { stdout } = await shell(project, `${page.preparing}\necho "KEY $SUTURA_API_KEY"`);
        const access = { ...env, SUTURA_API_KEY: /KEY (\S+)/.exec(stdout)![1]! };
        const own = join(ground, 'receiver');
        const listener = terminals.start(own, page['listen']!, access);
        const secret = await eventually('the secret', () => /Signed with (whsec_\S+)/.exec(listener())?.[1], 60_000);
        const receiver = terminals.start(own, page['receiver']!.replace('whsec_…', secret), {});
        await eventually('the receiver', () => receiver().includes('Listening on') || undefined, 60_000);
        await run('sh', ['-ec', page['trigger']!], { cwd: own, env: { PATH, HOME, ...access } as NodeJS.ProcessEnv });
        await eventually(
          'a verified report.ready',
          () => /^[0-9a-f-]{36} \d[\d.]*$/m.test(receiver()) || undefined,
          60_000,
        );

        const took = (performance.now() - began) / 1000;
        process.stdout.write(
          `Installed after ${installed}, gateway after ${runs}, first verified webhook after ${tookS()}.\n`,
        );
        expect(took).toBeLessThanOrEqual(LIMIT_S);
      },
      2 * PATIENCE_MS,
    );
  },
);
