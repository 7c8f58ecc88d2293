import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { transformFileSync } from '@swc/core';

/** Compiled for processes of their own, because threads of a test's own process cannot be given their priority back. */
const directory = mkdtempSync(join(tmpdir(), 'sutura-priority-'));
const FILE = join(directory, 'background-priority.mjs');
const COMPILED = pathToFileURL(FILE).href;
const source = join(__dirname, 'background-priority.ts');

beforeAll(() => {
  const typescript = { parser: { syntax: 'typescript' }, target: 'es2022' } as const;
  writeFileSync(FILE, transformFileSync(source, { swcrc: false, jsc: typescript, module: { type: 'es6' } }).code);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What a program prints that may call `lower…` and `nicenesses()`, those of all its threads. */
async function run(program: string): Promise<number[]> {
  const prelude = `
    import { readdirSync } from 'node:fs';
    import { readFile } from 'node:fs/promises';
    import { getPriority } from 'node:os';
    import { Worker } from 'node:worker_threads';
    import { lowerProcessPriority, lowerThreadPriority } from '${COMPILED}';
    const nicenesses = () => readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)));`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    `${prelude}\n${program}`,
  ]);
  return JSON.parse(stdout) as number[];
}

(process.platform === 'linux' ? describe : describe.skip)('background priority', () => {
  it('is that of one thread, and of none beside it', async () => {
    const found = await run(`
      const thread = "import { parentPort } from 'node:worker_threads'; import { lowerThreadPriority } from '${COMPILED}'; lowerThreadPriority(); parentPort.on('message', () => 0); parentPort.postMessage(0);";
      const worker = new Worker(thread, { eval: true });
      worker.once('message', () => { process.stdout.write(JSON.stringify(nicenesses())); process.exit(); });`);
    expect(found.filter((niceness) => niceness >= 10)).toHaveLength(1);
    expect(found.length).toBeGreaterThan(1);
  });

  it('is that of every thread of a process, those that already run and those that come', async () => {
    const found = await run(`
      await readFile('/dev/null');
      lowerProcessPriority();
      const worker = new Worker('setInterval(() => 0, 1000)', { eval: true });
      worker.once('online', () => { process.stdout.write(JSON.stringify(nicenesses())); process.exit(); });`);
    expect(found.length).toBeGreaterThan(4);
    expect(Math.min(...found)).toBeGreaterThanOrEqual(10);
  });
});
