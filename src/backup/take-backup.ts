import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type pg from 'pg';
import { takeBaseBackup } from '../platform/embedded-postgres/base-backup.js';
import {
  DATA_PART,
  DATABASE_PART,
  describeManifest,
  describeSums,
  manifestFile,
  OBJECTS_PART,
  SUMS_FILE,
  type BackupManifest,
} from './backup-manifest.js';
import { BackupRefusal, isFullDisk, refusingFullDisk } from './backup-refusal.js';
import { NamedObjects } from './named-objects.js';
import { ObjectCopies, type ObjectFolder } from './object-copies.js';
import { copySummed, SummedWriter, syncFolder, syncFolders, writeSummed, type SummedFile } from './summed-files.js';
import { LAST_BACKUP_FILE } from '../platform/health/backup.metrics.js';
import { databaseClient } from '../platform/database/database-address.js';

/** What is backed up, while a gateway may be using it. */
export interface BackupSource {
  /** Absolute. */
  readonly dataDir: string;
  /** Files of the data folder that belong to the database; one that is missing is left out. */
  readonly dataFiles: readonly string[];
  /** Of the embedded server's superuser. */
  readonly databaseUrl: string;
  readonly objects: ObjectFolder;
  readonly release: string;
  readonly platform: string;
  /** Id of the key of the installation's messages; null: they are not encrypted by it. */
  readonly messageKeyId: string | null;
  /** File of the keys, which is no part of a back-up; null: there is none. */
  readonly keyFile: string | null;
  /** Names of the variables that are set, which are no part of a back-up. */
  readonly settingNames: readonly string[];
}

/**
 * Makes a back-up at `out`, an absolute path where nothing is yet, and answers its manifest. It is built beside its
 * place and moved there whole: what is interrupted has another name (`.unfinished`), and what fails is removed.
 * BackupRefusal: the place is taken or lies in the data folder, or the disk is full.
 */
export async function takeBackup(source: BackupSource, out: string): Promise<BackupManifest> {
  await refusePlace(source, out);
  const draft = `${out}.unfinished`;
  await mkdir(dirname(out), { recursive: true, mode: 0o700 });
  await mkdir(draft, { mode: 0o700 }).catch(refuseSecondDraft(draft));
  try {
    return await refusingFullDisk(out, async () => {
      const manifest = await fill(draft, source);
      await syncFolders(draft);
      await rename(draft, out);
      await syncFolder(dirname(out));
      // For the metric of its age: a gateway may run beside.
      await writeFile(join(source.dataDir, LAST_BACKUP_FILE), `${manifest.takenAt}\n`, { mode: 0o600 });
      return manifest;
    });
  } catch (fault) {
    await rm(draft, { recursive: true, force: true });
    throw fault;
  }
}

async function refusePlace({ dataDir }: BackupSource, out: string): Promise<void> {
  const inside = relative(dataDir, out);
  if (!inside.startsWith('..') && inside !== out)
    throw new BackupRefusal(
      `${out} lies in the data folder, which the back-up is to outlive. Name a folder elsewhere.`,
    );
  const taken = await stat(out).catch(() => null);
  if (taken !== null)
    throw new BackupRefusal(
      `${out} exists already, and a back-up replaces nothing. Name a folder that does not exist.`,
    );
}

const refuseSecondDraft =
  (draft: string) =>
  (fault: unknown): never => {
    if ((fault as { code?: unknown } | null)?.code !== 'EEXIST') throw fault;
    throw new BackupRefusal(
      `A back-up to this place is being made, or was interrupted: ${draft}. If none is running, delete that folder.`,
    );
  };

async function fill(draft: string, source: BackupSource): Promise<BackupManifest> {
  const client = databaseClient(source.databaseUrl);
  client.on('error', () => undefined);
  await client.connect();
  try {
    // Before the database, which may then only know more than this head of the audit chain.
    const dataFiles = await copyDataFiles(draft, source);
    // Most objects are copied before the database too, so that one erased behind it is not missing.
    const copies = new ObjectCopies(source.objects, draft);
    await copies.bringTo(await NamedObjects.read(client));
    const takenAt = await readMoment(client);
    const database = await copyDatabase(draft, source.databaseUrl);
    const named = await NamedObjects.read(client);
    await copies.bringTo(named);
    const files = [...dataFiles, ...database, ...copies.files];
    return await seal(draft, files, {
      takenAt,
      release: source.release,
      platform: source.platform,
      ...(await readCondition(client)),
      objects: { copied: copies.files.length, ...named.compare(copies.sums) },
      encryptionKeys: keyIdsOf(source, copies),
      apart: { settings: [...source.settingNames], files: await filesApart(source, client) },
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

function keyIdsOf({ messageKeyId }: BackupSource, { keyIds }: ObjectCopies): string[] {
  return [...new Set(messageKeyId === null ? keyIds : [messageKeyId, ...keyIds])].sort();
}

async function filesApart({ keyFile }: BackupSource, client: pg.Client): Promise<string[]> {
  return [...(keyFile === null ? [] : [keyFile]), ...(await readKeyFiles(client))];
}

async function copyDataFiles(draft: string, { dataDir, dataFiles }: BackupSource): Promise<SummedFile[]> {
  const copied: SummedFile[] = [];
  for (const name of dataFiles) {
    const path = `${DATA_PART}${name}`;
    const sum = await copySummed(join(dataDir, name), join(draft, path)).catch((fault: unknown) => {
      if ((fault as { code?: unknown } | null)?.code === 'ENOENT') return null;
      throw fault;
    });
    if (sum !== null) copied.push({ path, ...sum });
  }
  return copied;
}

async function copyDatabase(draft: string, url: string): Promise<readonly SummedFile[]> {
  await mkdir(join(draft, DATABASE_PART), { mode: 0o700 });
  const writer = new SummedWriter(draft, DATABASE_PART);
  try {
    await takeBaseBackup(url, writer).catch(refuseServerFault);
  } finally {
    writer.end();
  }
  const unknown = writer.files.find(({ path }) => ![BASE, SERVER_MANIFEST].includes(basename(path)));
  if (unknown === undefined && writer.files.length === 2) return writer.files;
  throw new BackupRefusal(
    'The embedded database has tablespaces of its own, which a back-up does not carry. Move their tables back.',
  );
}

/** The server names files and pages in its errors, never rows. */
function refuseServerFault(fault: unknown): never {
  if (isFullDisk(fault) || !(fault instanceof Error)) throw fault;
  throw new BackupRefusal(
    `The database could not be copied: ${fault.message}. What was begun was removed. If the gateway was stopped meanwhile, try again; a damaged page or file is a reason to restore an older back-up.`,
  );
}

const BASE = 'base.tar';
const SERVER_MANIFEST = 'backup_manifest';

type Facts = Omit<BackupManifest, 'format' | 'files' | 'bytes' | 'sums'>;

/** The list of all files, then the manifest, which makes it a back-up. */
async function seal(draft: string, files: readonly SummedFile[], facts: Facts): Promise<BackupManifest> {
  await mkdir(join(draft, OBJECTS_PART), { recursive: true, mode: 0o700 });
  const { sha256 } = await writeSummed(join(draft, SUMS_FILE), describeSums(files));
  const manifest = {
    ...facts,
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    sums: sha256,
  };
  await writeSummed(manifestFile(draft), describeManifest(manifest));
  return { format: 1, ...manifest };
}

async function readMoment(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
  return rows[0]!.now.toISOString();
}

async function readCondition(client: pg.Client): Promise<Pick<BackupManifest, 'schema' | 'postgres'>> {
  const { rows } = await client.query<{ schema: string[]; postgres: string }>(
    `select array(select name from migrations order by id)::text[] as schema, current_setting('server_version') as postgres`,
  );
  return rows[0]!;
}

/** The files of certificates and keys that listeners and destinations of HL7 v2 name. */
async function readKeyFiles(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ file: string }>(
    `select distinct entry.value as file
       from (select settings from hl7_listeners union all select settings from hl7_destinations) as owner,
            jsonb_each_text(case when jsonb_typeof(owner.settings -> 'tls') = 'object' then owner.settings -> 'tls' else '{}' end) as entry
      where entry.key like '%File' and entry.value is not null
      order by 1`,
  );
  return rows.map(({ file }) => file);
}
