import { randomBytes } from 'node:crypto';
import { chown, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostgresBinaries } from './postgres-binaries.js';

export interface ClusterCredentials {
  readonly user: string;
  readonly password: string;
}

/** In the data folder, beside the cluster. */
export const CREDENTIALS_FILE = 'postgres-credentials.json';
const OWNER_FILE = 'postgres-owner.pid';
const UNFINISHED = 'postgres.new-';

/** The password of the embedded server, made once and readable by the owner of the data folder alone. */
export async function readOrMakeCredentials(dataDir: string): Promise<ClusterCredentials> {
  const file = join(dataDir, CREDENTIALS_FILE);
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const made: ClusterCredentials = { user: 'sutura', password: randomBytes(24).toString('hex') };
  const existing = await readFile(file, 'utf8').catch(() => null);
  if (existing !== null) return JSON.parse(existing) as ClusterCredentials;
  await writeFile(draft, JSON.stringify(made), { mode: 0o600, flag: 'wx' });
  // A link appears complete or not at all, and fails if another process was first.
  await link(draft, file).catch(() => undefined);
  await rm(draft);
  return JSON.parse(await readFile(file, 'utf8')) as ClusterCredentials;
}

/**
 * Makes the cluster if there is none. It is built beside its place and moved there whole, so that an interruption
 * leaves no half of one.
 */
export async function ensureCluster(
  dataDir: string,
  clusterDir: string,
  binaries: PostgresBinaries,
  credentials: ClusterCredentials,
  onWaiting: () => void,
): Promise<void> {
  const exists = () =>
    stat(join(clusterDir, 'PG_VERSION')).then(
      () => true,
      () => false,
    );
  if (await exists()) return;
  await removeUnfinished(dataDir);
  const draft = join(dataDir, `${UNFINISHED}${process.pid}`);
  const passwordFile = `${draft}.password`;
  try {
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, `${credentials.password}\n`, { mode: 0o600, flag: 'wx' });
    for (const path of [draft, passwordFile])
      if (binaries.account !== null) await chown(path, binaries.account.uid, binaries.account.gid);
    const made = initialize(binaries, draft, passwordFile, credentials.user);
    onWaiting();
    await made;
    await rename(draft, clusterDir).catch(async (error: unknown) => {
      if (!(await exists())) throw error;
    });
  } finally {
    await rm(passwordFile, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const pid = Number(name.startsWith(UNFINISHED) ? name.slice(UNFINISHED.length).split('.')[0] : Number.NaN);
    if (!Number.isNaN(pid) && (pid === process.pid || !isAlive(pid)))
      await rm(join(dataDir, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function initialize(binaries: PostgresBinaries, folder: string, passwordFile: string, user: string): Promise<void> {
  const args = [
    '-D',
    folder,
    '--auth=scram-sha-256',
    `--username=${user}`,
    `--pwfile=${passwordFile}`,
    '--locale=C',
    '--encoding=UTF8',
  ];
  const child = binaries.spawn('initdb', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-2000)));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`The embedded database could not be made. initdb: ${complaint.trim()}`)),
    );
  });
}

/** Notes which process the server belongs to. */
export async function writeOwner(dataDir: string): Promise<void> {
  await writeFile(join(dataDir, OWNER_FILE), String(process.pid), { mode: 0o600 });
}

/** The process that started the server last; 0: none noted. */
export async function readOwner(dataDir: string): Promise<number> {
  return Number(await readFile(join(dataDir, OWNER_FILE), 'utf8').catch(() => '0')) || 0;
}
