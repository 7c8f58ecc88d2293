import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isThere, said } from './toolchain.js';

const ROOT = resolve(__dirname, '../..');
const PLACE = join(ROOT, '.cache/toolchains/python');
const PYTHON = join(PLACE, 'bin/python');

/** A Python with both checkers, kept in .cache; null where there is none to be had. */
function checkingPython(): string | null {
  if (existsSync(join(PLACE, 'bin/mypy'))) return PYTHON;
  mkdirSync(PLACE, { recursive: true });
  const words = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', 'mypy', 'pyright'];
  return isThere('python3', '-m', 'venv', PLACE) && isThere(PYTHON, ...words) ? PYTHON : null;
}

const python = checkingPython();
if (python === null) process.stdout.write('Skipped, since mypy and pyright are not to be had here.\n');

(python === null ? test.skip : test)(
  'the Python library and every example of its documentation hold under mypy --strict and pyright',
  async () => {
    const spoken = await said(join(ROOT, 'sdk/python'), python!, 'check_types.py');
    expect(spoken).toMatch(/mypy, the package:[^]*mypy, the examples:[^]*pyright, the examples: 0 errors/);
  },
  300_000,
);
