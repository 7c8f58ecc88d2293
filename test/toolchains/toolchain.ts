import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether a program is there and answers to `words`. */
export function isThere(program: string, ...words: string[]): boolean {
  return spawnSync(program, words, { stdio: 'ignore' }).status === 0;
}

/** What a program printed; where it fails, the end of it. */
export async function said(cwd: string, program: string, ...words: string[]): Promise<string> {
  const options = { cwd, maxBuffer: 64 * 1024 * 1024 };
  return run(program, words, options).then(
    ({ stdout }) => stdout.trim(),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`${program} ${words.join(' ')}\n${`${stdout}\n${stderr}`.slice(-4000)}`);
    },
  );
}

/** `describe` where nothing is missing; else the reason is told, and its tests are skipped. */
export function describeWith(missing: Readonly<Record<string, boolean>>): typeof describe | typeof describe.skip {
  const names = Object.keys(missing).filter((name) => missing[name]);
  if (names.length > 0) process.stdout.write(`Skipped, since this machine lacks: ${names.join(', ')}.\n`);
  return names.length > 0 ? describe.skip : describe;
}
