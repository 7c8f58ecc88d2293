// Which lines and branches of src, tools and web/src the tests run: npm run coverage [-- unit commit system]
// A clone of the last commit is instrumented in .cache/coverage, so that programs and commands which tests start count as well; pages in a browser do not.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { instrument } from './counting/instrument.mjs';
import { sumUp } from './counting/sum.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const GROUND = join(ROOT, '.cache/coverage');
const TREE = join(GROUND, 'tree');
const COUNT = join(ROOT, 'scripts/counting/count.cjs');
const COMMANDS = { unit: 'test:unit', commit: 'test', system: 'test:system' };
const COUNTED = /^(src|tools|web\/src)\/.*\.tsx?$/;
const NOT_COUNTED = /\.(spec|d)\.tsx?$/;

function must(program, ...words) {
  const { status, stdout } = spawnSync(program, words, {
    cwd: TREE,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1e8,
  });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} failed.`);
  return stdout;
}

function prepare() {
  rmSync(GROUND, { recursive: true, force: true });
  mkdirSync(TREE, { recursive: true });
  must('git', 'clone', '--quiet', ROOT, '.');
  must('npm', 'ci', '--no-audit', '--no-fund');
  const paths = must('git', 'ls-files').split('\n');
  return instrument(
    TREE,
    paths.filter((path) => COUNTED.test(path) && !NOT_COUNTED.test(path)),
  );
}

/** Tests that read sources as text fail on instrumented ones; what they count is counted. */
function run(tier) {
  const counts = join(GROUND, tier);
  mkdirSync(counts);
  const env = { ...process.env, COVERAGE_COUNTS: counts, NODE_OPTIONS: `--require=${COUNT}` };
  spawnSync('npm', ['run', COMMANDS[tier]], { cwd: TREE, env, stdio: 'inherit' });
  return counts;
}

const share = (run, all) => `${run} of ${all} (${((100 * run) / Math.max(1, all)).toFixed(1)} %)`;

function print(what, sums) {
  console.log(`\n${what}`);
  for (const [room, { lines, linesRun, branches, branchesRun }] of sums)
    console.log(
      `${room.padEnd(18)} lines ${share(linesRun, lines).padEnd(26)} branches ${share(branchesRun, branches)}`,
    );
}

const asked = process.argv.slice(2);
const unknown = asked.filter((tier) => !(tier in COMMANDS));
if (unknown.length > 0) throw new Error(`There is no tier ${unknown.join(', ')}: ${Object.keys(COMMANDS).join(', ')}.`);
const tiers = asked.length === 0 ? Object.keys(COMMANDS) : asked;
const maps = prepare();
const folders = tiers.map(run);
tiers.forEach((tier, place) => print(tier, sumUp(maps, [folders[place]])));
if (tiers.length > 1) print(tiers.join(' + '), sumUp(maps, folders));
