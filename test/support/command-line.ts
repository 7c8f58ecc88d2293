import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { runCommandLine } from '../../src/composition/command-line.js';

const ROOT = resolve(__dirname, '../..');

export interface CommandEnd {
  /** null: killed. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** One run of the built command line, with these variables and no other settings; `input`: what it reads from the standard input. */
export async function runCommand(
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
  input?: string,
): Promise<CommandEnd> {
  const child = spawn(process.execPath, [join(ROOT, 'dist/src/cli.js'), ...words], {
    cwd: ROOT,
    env: environmentWith(variables),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, err };
}

/** As `runCommand` without an input, in this process: what a command says, for a fraction of what a process of its own costs. */
export async function callCommandLine(
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<CommandEnd> {
  const printed = { out: '', err: '' };
  const code = await runCommandLine(words, environmentWith(variables), {
    out: (line) => void (printed.out += `${line}\n`),
    err: (line) => void (printed.err += `${line}\n`),
  });
  return { code, ...printed };
}

function environmentWith(variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return {
    ...(PATH === undefined ? {} : { PATH }),
    ...(HOME === undefined ? {} : { HOME }),
    NODE_ENV: 'test',
    ...variables,
  };
}

/** Superuser address of the embedded database that is running in this data folder. */
export async function embeddedDatabaseUrl(dataDir: string): Promise<string> {
  const { user, password } = JSON.parse(await readFile(join(dataDir, 'postgres-credentials.json'), 'utf8')) as {
    user: string;
    password: string;
  };
  const port = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[3];
  return `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
}
