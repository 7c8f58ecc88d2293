import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(__dirname, '../../..');
const BUNDLE = join(ROOT, 'dist/src/bundle');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } };
const START_FLAGS = scripts.start.split(' ').filter((word) => word.startsWith('--'));

/** What a module says that begins with the runner of a build in `folder`. */
const said = async (flags: readonly string[], words: string, folder = BUNDLE): Promise<string> => {
  const text = `const runner = await import(${JSON.stringify(join(folder, 'run-program.mjs'))}); ${words}`;
  const run = promisify(execFile)(process.execPath, [...flags, '--input-type=module', '--eval', text], {
    cwd: '/',
  });
  return (await run).stdout;
};
const FITS = 'console.log(runner.hasFittingCode());';
/** Prints the stack of whoever prints the usage. */
const STACK = `
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = () => { process.stdout.write = () => true; return write(new Error('somewhere').stack); };
  process.argv = ['node', 'cli', '--help'];
  await runner.runProgram('cli');`;

describe('the code that V8 made of the programs of a build', () => {
  it('is not taken by a node with other flags, which compiles instead', async () => {
    expect(await said(['--max-semi-space-size=8'], FITS)).toBe('false\n');
  });

  it('is taken by a plain node, as a command is, and by the flags of npm start', async () => {
    expect(START_FLAGS).not.toEqual([]);
    for (const flags of [[], START_FLAGS]) expect([flags, await said(flags, FITS)]).toEqual([flags, 'true\n']);
  });

  it('is not needed: a build without it runs', async () => {
    // Below this checkout, whose packages it finds from there.
    const folder = await mkdtemp(join(ROOT, '.cache/without-code-'));
    try {
      for (const file of ['run-program.mjs', 'programs.cjs']) await copyFile(join(BUNDLE, file), join(folder, file));
      expect(await said([], FITS, folder)).toBe('false\n');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('leaves stacks that name the sources', async () => {
    expect(await said(['--enable-source-maps'], STACK)).toMatch(
      / at runCli \(\S+\/src\/platform\/cli\/run-cli\.ts:\d+:\d+\)/,
    );
  });
});
