// Everything that is checked without types, side by side on the cores there are: node scripts/lint.mjs [--fix]. Types: npm run check.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
const cache = ['--cache', '--cache-strategy', 'content', '--cache-location', join('.cache', 'eslint')];
const eslint = ['eslint', '.', '--max-warnings', '0', ...cache];
const cores = Math.max(2, availableParallelism());

/** The longest first, so that the short ones fill what is left. */
const CHECKS = [
  eslint,
  ['depcruise', '--config', '.dependency-cruiser.cjs', 'src', 'tools', 'web/src'],
  ['oxfmt', '--check'],
  [join(ROOT, 'scripts/check-advisories.mjs')],
];
/** One after another, since both write. */
const FIXES = [[...eslint, '--fix'], ['oxfmt']];

/** The program that a command of a package is. */
function programOf(command) {
  if (command.startsWith('/')) return command;
  const owner = command === 'depcruise' ? 'dependency-cruiser' : command;
  const manifest = join(ROOT, 'node_modules', owner, 'package.json');
  const { bin } = require(manifest);
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[command]);
}

/** Whether it found nothing. Its words come out whole, once it has ended. */
async function run([command, ...rest]) {
  const began = performance.now();
  const child = spawn(process.execPath, [programOf(command), ...rest], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const words = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => words.push(chunk));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const tookS = ((performance.now() - began) / 1000).toFixed(1);
  const name = command.split('/').at(-1);
  process.stdout.write(`${Buffer.concat(words)}${name}: ${code === 0 ? 'nothing found' : 'FAILED'}, ${tookS} s\n`);
  return code === 0;
}

async function runAll(commands, atOnce) {
  const waiting = [...commands];
  const results = [];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results.push(await run(next));
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results.every(Boolean);
}

mkdirSync(join(ROOT, '.cache'), { recursive: true });
const fixing = process.argv.includes('--fix');
const isClean = fixing ? await runAll(FIXES, 1) : await runAll(CHECKS, cores);
process.exitCode = isClean ? 0 : 1;
