import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { instrument } from '../../scripts/counting/instrument.mjs';
import { sumUp } from '../../scripts/counting/sum.mjs';

const COUNT = join(process.cwd(), 'scripts/counting/count.cjs');
/** A program that starts itself once more, in an environment of its own, where it goes the other way. */
const PROGRAM = `
import { spawnSync } from 'node:child_process';
const isStarted: boolean = process.argv[2] === 'started';
if (isStarted) {
  console.log('started');
} else {
  spawnSync(process.execPath, [process.argv[1], 'started'], { env: {} });
}
export function neverCalled(): number {
  return 1;
}
`;

describe('the coverage of tests', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sutura-coverage-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('has nothing run of a file that nobody loads', () => {
    writeFileSync(join(root, 'alone.ts'), PROGRAM);
    const maps = instrument(root, ['alone.ts']);
    const counts = join(root, 'counts');
    mkdirSync(counts);
    expect(Object.fromEntries(sumUp(maps, [counts]))['all']).toEqual({
      lines: 5,
      linesRun: 0,
      branches: 2,
      branchesRun: 0,
    });
  });

  it('adds up what a program ran and what ran in those that it started', () => {
    mkdirSync(join(root, 'src/core'), { recursive: true });
    writeFileSync(join(root, 'src/core/program.ts'), PROGRAM);
    const maps = instrument(root, ['src/core/program.ts']);
    const program = join(root, 'program.mjs');
    const counted = readFileSync(join(root, 'src/core/program.ts'), 'utf8');
    writeFileSync(program, transformSync(counted, { loader: 'ts', format: 'esm' }).code);
    const counts = join(root, 'counts');
    mkdirSync(counts);
    const env = { ...process.env, COVERAGE_COUNTS: counts, NODE_OPTIONS: `--require=${COUNT}` };
    expect(spawnSync(process.execPath, [program], { env }).status).toBe(0);
    const sums = sumUp(maps, [counts]);
    expect([...sums.keys()]).toEqual(['src/core', 'all']);
    expect(sums.get('src/core')).toEqual({ lines: 5, linesRun: 4, branches: 2, branchesRun: 2 });
  });
});
