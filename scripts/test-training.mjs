// The tests and the linter of models/training, in an environment of their own: torch is larger than everything else here. One argument: the
// Python to make it with, default python3 (3.11 or newer).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TRAINING = join(dirname(dirname(fileURLToPath(import.meta.url))), 'models', 'training');
const LINTER = 'ruff==0.17.6';
const [python = 'python3'] = process.argv.slice(2);

const requirements = join(TRAINING, 'requirements.txt');
const digest = createHash('sha256')
  .update(readFileSync(requirements))
  .update(LINTER)
  .update(python)
  .digest('hex')
  .slice(0, 16);
const folder = join(TRAINING, '..', '..', '.cache', 'training', digest);
const inside = (program) => join(folder, 'bin', program);

function run(program, ...args) {
  return spawnSync(program, args, { cwd: TRAINING, stdio: 'inherit' }).status === 0;
}

// The linter is installed last: without it the environment was left half made.
if (!existsSync(inside('ruff'))) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  const made =
    run(python, '-m', 'venv', folder) &&
    run(inside('pip'), 'install', '--quiet', '--requirement', requirements) &&
    run(inside('pip'), 'install', '--quiet', LINTER);
  if (!made) process.exit(1);
}
const linted = run(inside('ruff'), 'check', '.');
const tested = run(inside('python'), '-m', 'unittest', 'discover', 'tests');
process.exitCode = linted && tested ? 0 : 1;
