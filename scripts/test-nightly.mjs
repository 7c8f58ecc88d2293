// What takes too long for every commit: npm run test:nightly. Every step runs, whatever became of those before it.
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** Each night another order of the files: one that fails because of those before it is found with the word that draws the order anew. */
const ORDER = process.env.SUTURA_TEST_ORDER ?? new Date().toISOString().slice(0, 10);
/** Ten times the random inputs, and databases on a real disk. */
const FULL = {
  SUTURA_TEST_ROUNDS: 'night',
  SUTURA_TEST_DISK: '1',
  SUTURA_TEST_SLOW: 'true',
  SUTURA_TEST_ORDER: ORDER,
};

const STEPS = [
  {
    what: 'all tests, the slow ones too',
    command: ['npx', 'jest', '--config', 'test/jest/nightly.config.mjs'],
    env: FULL,
  },
  { what: 'npm test on Node 22, 24 and 26', command: ['npm', 'run', 'test:nodes', '--', '22', '24', '26'] },
  { what: 'the client libraries on other Nodes', command: ['npm', 'run', '--prefix', 'sdk/javascript', 'test:nodes'] },
  {
    what: 'the client library on other Pythons',
    command: ['npx', 'jest', 'test/medium/python-client'],
    env: { SUTURA_ALL_PYTHONS: '1' },
  },
  {
    what: 'the image: built, and tried',
    command: [
      'sh',
      '-c',
      'out="$(mktemp -d)/sutura.oci.tar" && npm run image -- --out "$out" && ops/smoke-image.sh "$out"',
    ],
  },
  { what: 'the training: its tests and its linter', command: ['node', 'scripts/test-training.mjs'] },
  { what: 'the follow-up, simulated', command: ['node', 'bench/quality/simulate-follow-up.mjs'] },
];

const asked = process.argv.slice(2);
const chosen = STEPS.filter(({ what }) => asked.length === 0 || asked.some((word) => what.includes(word)));
const failed = chosen.filter(({ what, command: [program, ...args], env = {} }) => {
  process.stdout.write(`\n== ${what}${env.SUTURA_TEST_ORDER === undefined ? '' : ` (SUTURA_TEST_ORDER=${ORDER})`}\n`);
  return spawnSync(program, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: 'inherit' }).status !== 0;
});
process.stdout.write(`\n${chosen.length - failed.length} steps passed, ${failed.length} failed\n`);
for (const { what } of failed) process.stdout.write(`failed: ${what}\n`);
process.exitCode = failed.length > 0 || chosen.length === 0 ? 1 : 0;
