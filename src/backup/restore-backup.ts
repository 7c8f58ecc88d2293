import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { unknownMigrations } from '../platform/database/schema-history.js';
import { unpackCluster } from '../platform/embedded-postgres/cluster-archive.js';
import { findPostgresBinaries } from '../platform/embedded-postgres/postgres-binaries.js';
import { UNFINISHED_RESTORE } from '../platform/embedded-postgres/unfinished-restore.js';
import { failpoint } from '../platform/failpoints.js';
import {
  checkFiles,
  DATA_PART,
  DATABASE_PART,
  OBJECTS_PART,
  readManifest,
  type BackupManifest,
} from './backup-manifest.js';
import { BackupRefusal, refusingFullDisk } from './backup-refusal.js';
import { copySummed, syncFolder, syncFolders } from './summed-files.js';

/** Where a back-up is put back. */
export interface RestoreTarget {
  /** Absolute; missing or empty. */
  readonly dataDir: string;
  readonly platform: string;
  /** Version of the embedded PostgreSQL. */
  readonly postgres: string;
  /** Ids of the keys that there are. */
  readonly keyIds: readonly string[];
  /** The operator's copy of the key file, which becomes that of the data folder, and its name there; null: keys are elsewhere. */
  readonly keyFile: { readonly from: string; readonly name: string } | null;
}

/** What a new file system has in its root. */
const NO_CONTENT = new Set(['lost+found']);

/**
 * Puts a back-up into an empty data folder. Nothing is written before every file of the back-up was compared with its
 * sum. Everything is built in a folder inside, beside which no gateway starts; `check` runs there, on the database as
 * it will be; then the parts are moved to their places. What fails is removed.
 * BackupRefusal: no whole back-up, one of a newer release, of another PostgreSQL or platform, one whose key is missing,
 * or a folder with content.
 */
export async function restoreBackup<T>(
  from: string,
  target: RestoreTarget,
  check: (draft: string, manifest: BackupManifest) => Promise<T>,
): Promise<{ readonly manifest: BackupManifest; readonly checked: T }> {
  const manifest = await readManifest(from);
  refuseForeign(manifest, target);
  refuseMissingKeys(manifest, target);
  await refuseContent(target.dataDir);
  const paths = await checkFiles(from, manifest);
  const draft = join(target.dataDir, UNFINISHED_RESTORE);
  await mkdir(target.dataDir, { recursive: true, mode: 0o700 });
  await mkdir(draft, { mode: 0o700 });
  try {
    return await refusingFullDisk(target.dataDir, async () => {
      await fill(draft, from, paths);
      if (target.keyFile !== null) await copySummed(target.keyFile.from, join(draft, target.keyFile.name));
      const checked = await check(draft, manifest);
      await moveOut(draft, target.dataDir);
      return { manifest, checked };
    });
  } catch (fault) {
    // What was moved out already stays beside the draft's folder, which then keeps a gateway from starting.
    if ((await readdir(target.dataDir)).every((name) => name === UNFINISHED_RESTORE || NO_CONTENT.has(name)))
      await rm(draft, { recursive: true, force: true });
    throw fault;
  }
}

function refuseForeign({ schema, release, postgres, platform }: BackupManifest, target: RestoreTarget): void {
  const unknown = unknownMigrations(schema);
  if (unknown.length > 0)
    throw new BackupRefusal(
      `The back-up is of a newer release (${release}): this one does not know its migration ${unknown.join(', ')}. Nothing was changed. Restore it with the release that made it, or a later one.`,
    );
  if (majorOf(postgres) !== majorOf(target.postgres))
    throw new BackupRefusal(
      `The back-up was made with PostgreSQL ${postgres}, whose files PostgreSQL ${target.postgres} does not read. Nothing was changed. Restore it with release ${release}.`,
    );
  if (platform !== target.platform)
    throw new BackupRefusal(
      `The back-up was made on ${platform}, and PostgreSQL's files cannot be used on ${target.platform}. Nothing was changed. Restore it on a machine like that one.`,
    );
}

function refuseMissingKeys({ encryptionKeys }: BackupManifest, { keyIds }: RestoreTarget): void {
  const missing = encryptionKeys.filter((id) => !keyIds.includes(id));
  if (missing.length === 0) return;
  throw new BackupRefusal(
    `The back-up is encrypted, and its key ${missing.join(', ')} is not here. Nothing was changed. Give your copy of the key file: --encryption-keys FILE, or SUTURA_ENCRYPTION_KEY_FILE if you keep it elsewhere. Without the key the back-up cannot be read.`,
  );
}

const majorOf = (version: string): string => version.split('.')[0] ?? '';

async function refuseContent(dataDir: string): Promise<void> {
  const names: readonly string[] = await readdir(dataDir).catch((fault: unknown) => {
    if ((fault as { code?: unknown } | null)?.code === 'ENOENT') return [];
    throw fault;
  });
  if (names.includes(UNFINISHED_RESTORE))
    throw new BackupRefusal(
      `A restore into ${dataDir} is under way or did not end (${UNFINISHED_RESTORE}). If none runs, empty the folder and restore again.`,
    );
  if (names.every((name) => NO_CONTENT.has(name))) return;
  throw new BackupRefusal(
    `The data folder ${dataDir} is not empty, and a restore replaces nothing. Nothing was changed. Stop the gateway, move the folder away, and restore again; or name another by SUTURA_DATA_DIR.`,
  );
}

async function fill(draft: string, from: string, paths: readonly string[]): Promise<void> {
  const { account } = await findPostgresBinaries(draft);
  for (const path of paths) {
    await failpoint('restore_copy');
    if (path === `${DATABASE_PART}base.tar`) await unpackCluster(join(from, path), join(draft, 'postgres'), account);
    else if (path.startsWith(DATA_PART)) await copySummed(join(from, path), join(draft, path.slice(DATA_PART.length)));
    else if (path.startsWith(OBJECTS_PART)) await copySummed(join(from, path), join(draft, path));
  }
}

async function moveOut(draft: string, dataDir: string): Promise<void> {
  await syncFolders(draft);
  for (const name of await readdir(draft)) await rename(join(draft, name), join(dataDir, name));
  await syncFolder(dataDir);
  await rmdir(draft);
  await syncFolder(dataDir);
}
