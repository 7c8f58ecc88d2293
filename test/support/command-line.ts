import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

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
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [join(ROOT, 'dist/src/cli.js'), ...words], {
    cwd: ROOT,
    env: {
      ...(PATH === undefined ? {} : { PATH }),
      ...(HOME === undefined ? {} : { HOME }),
      NODE_ENV: 'test',
      ...variables,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, err };
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
