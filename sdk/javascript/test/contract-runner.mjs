// Runs the contract suite, and what only this library promises, against the built package: a plain program, so that it runs on every Node.js.
//   node test/contract-runner.mjs [--json] [part of a case's name]
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ownCases } from './own-cases.mjs';
import { runCase } from './run-case.mjs';

const CONTRACT = new URL('../../contract/', import.meta.url);

/** The cases of the shared suite, with the file that each stands in. */
function readContractCases() {
  const files = readdirSync(new URL('cases/', CONTRACT))
    .filter((name) => name.endsWith('.json'))
    .sort();
  return files.flatMap((file) =>
    JSON.parse(readFileSync(new URL(`cases/${file}`, CONTRACT), 'utf8')).map((one) => ({
      ...one,
      file: file.replace('.json', ''),
    })),
  );
}

/** Node.js before 18.20 gives faults of the network no code. */
const NEEDS_CODES = 'errors: says by a code why a connection was not made';
const HAS_CODES = !/^18\.1?\d\./.test(process.versions.node);

async function startServer() {
  const child = spawn(process.execPath, [fileURLToPath(new URL('server.mjs', CONTRACT))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout }))
    return { ...JSON.parse(line), stop: () => child.stdin.end() };
  throw new Error('The scripted server did not start.');
}

/** What a client leaves behind shows only where nobody else writes. */
function ownTemporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'sutura-runner-'));
  process.env.TMPDIR = folder;
  process.env.TEMP = folder;
  return folder;
}

async function verdictOf(task) {
  const started = performance.now();
  const faults = await task().catch((fault) => [String(fault?.stack ?? fault)]);
  return { faults, ms: Math.round(performance.now() - started) };
}

async function main() {
  const [part = ''] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const asJson = process.argv.includes('--json');
  const folder = ownTemporaryFolder();
  const server = await startServer();
  const cases = [
    ...readContractCases().map((one) => ({ name: `${one.file}: ${one.name}`, run: () => runCase(server, one) })),
    ...ownCases.map(({ name, run }) => ({ name: `javascript: ${name}`, run: async () => (await run(server)) ?? [] })),
  ];
  const results = [];
  for (const { name, run } of cases) {
    if (!name.includes(part) || (name === NEEDS_CODES && !HAS_CODES)) continue;
    const verdict = await verdictOf(run);
    results.push({ name, ...verdict });
    if (!asJson && verdict.faults.length > 0)
      process.stdout.write(`FAILED ${name}\n${verdict.faults.map((fault) => `       ${fault}\n`).join('')}`);
  }
  server.stop();
  rmSync(folder, { recursive: true, force: true });
  const failed = results.filter(({ faults }) => faults.length > 0).length;
  process.stdout.write(
    asJson
      ? `${JSON.stringify(results)}\n`
      : `Node.js ${process.versions.node}: ${results.length - failed} passed, ${failed} failed\n`,
  );
  process.exitCode = failed > 0 || results.length === 0 ? 1 : 0;
}

await main();
