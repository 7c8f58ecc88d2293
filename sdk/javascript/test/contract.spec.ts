import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PACKAGE = resolve(__dirname, '..');
const CASES = resolve(PACKAGE, '../contract/cases');
const REQUIRED = ['api', 'errors', 'retries', 'upload', 'waiting', 'wounds', 'reports', 'events'];

interface Verdict {
  readonly name: string;
  readonly faults: readonly string[];
}

function contractNames(): string[] {
  return readdirSync(CASES)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) =>
      (JSON.parse(readFileSync(join(CASES, file), 'utf8')) as { name: string }[]).map(
        ({ name }) => `${file.replace('.json', '')}: ${name}`,
      ),
    );
}

/** In a process of its own, as under every other version of Node.js. */
function runAll(): Verdict[] {
  if (!existsSync(join(PACKAGE, 'dist/index.js'))) throw new Error('The library is not built: "npm run build:sdk".');
  const run = spawnSync(process.execPath, [join(PACKAGE, 'test/contract-runner.mjs'), '--json'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (run.stdout === '') throw new Error(run.stderr);
  return JSON.parse(run.stdout) as Verdict[];
}

describe('the JavaScript library', () => {
  let verdicts: Map<string, Verdict>;

  beforeAll(() => {
    verdicts = new Map(runAll().map((verdict) => [verdict.name, verdict]));
  }, 60_000);

  it.each(contractNames())('%s', (name) => {
    expect(verdicts.get(name)?.faults).toEqual([]);
  });

  it('keeps what it promises beyond the shared contract', () => {
    const own = [...verdicts.values()].filter(({ name }) => name.startsWith('javascript: '));
    expect(own.length).toBeGreaterThan(35);
    expect(own.filter(({ faults }) => faults.length > 0)).toEqual([]);
  });
});

test('every case has a name of its own, and no file of the suite is missing', () => {
  const names = contractNames();
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(100);
  for (const file of REQUIRED) expect(names.some((name) => name.startsWith(`${file}: `))).toBe(true);
});
