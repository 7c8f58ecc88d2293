import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const PYTHON_SDK = resolve(__dirname, '../../sdk/python');
const ALL_INTERPRETERS = process.env['SUTURA_ALL_PYTHONS'] === '1';
const OLDEST_MINOR = 9;

interface Interpreter {
  readonly command: string;
  readonly version: string;
}

const run = promisify(execFile);

/** The contract suite's server is started with the Node.js that runs here; nothing is written beside the sources. */
const environment = {
  ...process.env,
  PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
  PYTHONDONTWRITEBYTECODE: '1',
};

function installedByPyenv(): string[] {
  const versions = join(homedir(), '.pyenv', 'versions');
  return existsSync(versions) ? readdirSync(versions).map((name) => join(versions, name, 'bin', 'python')) : [];
}

/** The interpreter behind a command; null where there is none, or an older one than 3.9. */
function interpreterOf(command: string): Interpreter | null {
  const asked = spawnSync(
    command,
    ['-c', 'import sys; print(sys.version.split()[0], *sys.version_info[:2], sys.executable)'],
    { encoding: 'utf8', timeout: 20_000 },
  );
  const [version, major, minor, ...path] = asked.status === 0 ? asked.stdout.trim().split(' ') : [];
  // The program itself: what a name on the PATH leads to may depend on the folder and on the PATH of the moment.
  return version !== undefined && major === '3' && Number(minor) >= OLDEST_MINOR
    ? { command: path.join(' '), version }
    : null;
}

/** Each version once: the first on the PATH, or with SUTURA_ALL_PYTHONS=1 every one of this machine. */
function findInterpreters(): Interpreter[] {
  const named = Array.from({ length: 6 }, (_, at) => `python3.${OLDEST_MINOR + at}`);
  const found = new Map<string, Interpreter>();
  for (const command of ['python3', 'python', ...(ALL_INTERPRETERS ? [...named, ...installedByPyenv()] : [])]) {
    const interpreter = interpreterOf(command);
    if (interpreter === null || found.has(interpreter.version)) continue;
    found.set(interpreter.version, interpreter);
    if (!ALL_INTERPRETERS) break;
  }
  return [...found.values()];
}

function canBuild({ command }: Interpreter): boolean {
  return (
    spawnSync(command, ['-c', 'import prove_packaging, sys; sys.exit(prove_packaging.why_not() or 0)'], {
      cwd: PYTHON_SDK,
      env: environment,
    }).status === 0
  );
}

const interpreters = findInterpreters();

describe('the Python client', () => {
  if (interpreters.length === 0) {
    test.skip('is not tested: no Python 3.9 or newer is on the PATH', () => undefined);
    return;
  }

  test.each(interpreters)(
    'passes its own tests and the contract suite on Python $version',
    async ({ command }) => {
      // unittest reports on stderr.
      const { stderr } = await run(
        command,
        ['-W', 'error::ResourceWarning', '-m', 'unittest', 'discover', '-s', join(PYTHON_SDK, 'tests')],
        {
          env: environment,
          timeout: 240_000,
          maxBuffer: 64 * 1024 * 1024,
        },
      );
      expect(stderr).toMatch(/Ran \d{3,} tests/);
      expect(stderr).toMatch(/^OK\b/m);
    },
    250_000,
  );

  const builders = ALL_INTERPRETERS ? interpreters.filter(canBuild) : [];
  const others = interpreters.filter((interpreter) => !builders.includes(interpreter));
  const why = ALL_INTERPRETERS ? 'it has no setuptools of today' : 'only with SUTURA_ALL_PYTHONS=1';
  if (others.length > 0)
    test.skip.each(others)(`is not built and installed on Python $version: ${why}`, () => undefined);
  if (builders.length > 0) {
    test.each(builders)(
      'is a wheel that installs without an index on Python $version',
      async ({ command }) => {
        const { stdout } = await run(command, [join(PYTHON_SDK, 'prove_packaging.py')], {
          env: environment,
          timeout: 170_000,
        });
        expect(stdout).toMatch(/^proved with Python/m);
      },
      180_000,
    );
  }
});
