import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { BackupRefusal } from './backup-refusal.js';
import { sumOf, type SummedFile } from './summed-files.js';

/** `manifest.json` of a back-up, written last. */
const MANIFEST_FILE = 'manifest.json';
/** Every other file, in the form of sha256sum(1): `sha256sum --check SHA256SUMS` in the folder does what a restore does. */
export const SUMS_FILE = 'SHA256SUMS';
/** Files of the data folder that belong to the database: its password, the head of the audit chain. */
export const DATA_PART = 'data/';
/** What PostgreSQL sent: `base.tar` and its own `backup_manifest`, which pg_verifybackup reads. */
export const DATABASE_PART = 'postgres/';
/** Objects, as the local store has them. */
export const OBJECTS_PART = 'objects/';

const FORMAT = 1;

const ManifestSchema = z.object({
  format: z.literal(FORMAT),
  /** Everything that was acknowledged before this moment is in the back-up. */
  takenAt: z.iso.datetime(),
  release: z.string(),
  /** The migrations of the database, oldest first. */
  schema: z.array(z.string()).min(1),
  /** `18.4`: only the same major version reads the files. */
  postgres: z.string(),
  /** `linux-x64`: PostgreSQL's files are not carried to another kind of machine. */
  platform: z.string(),
  files: z.int().positive(),
  bytes: z.int().positive(),
  /** SHA-256 of SHA256SUMS, hex. */
  sums: z.string(),
  objects: z.object({
    copied: z.int(),
    /** Keys that the database names and the store did not have. */
    missing: z.array(z.string()),
    /** Keys whose bytes are not those that the database remembers. */
    changed: z.array(z.string()),
    /** Keys of objects whose encryption key was missing; absent in back-ups of older releases, which count them as changed. */
    keyMissing: z.array(z.string()).optional(),
    /** Objects whose digest the database does not remember; absent in back-ups of older releases. */
    notCompared: z.int().optional(),
  }),
  /** Ids of the keys without which it cannot be read; the keys are no part of it. */
  encryptionKeys: z.array(z.string()).default([]),
  /** What has to be kept apart from the back-up. */
  apart: z.object({ settings: z.array(z.string()), files: z.array(z.string()) }),
});

export type BackupManifest = z.infer<typeof ManifestSchema>;

export function describeManifest(facts: Omit<BackupManifest, 'format'>): string {
  return `${JSON.stringify({ format: FORMAT, ...facts }, null, 2)}\n`;
}

export const manifestFile = (folder: string): string => join(folder, MANIFEST_FILE);

/** BackupRefusal: no back-up, an unfinished one, or one in a form that this release does not read. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(manifestFile(folder), 'utf8').catch(() => null);
  if (text === null)
    throw new BackupRefusal(`${folder} holds no whole back-up: ${MANIFEST_FILE} is missing. Nothing was changed.`);
  const parsed = ManifestSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new BackupRefusal(
    `${MANIFEST_FILE} in ${folder} is damaged, or of a newer release than this one. Nothing was changed.`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function describeSums(files: readonly SummedFile[]): string {
  return files.map(({ sha256, path }) => `${sha256}  ${path}\n`).join('');
}

/**
 * The files of a back-up, each read and compared with its sum. BackupRefusal names those that are missing or damaged.
 */
export async function checkFiles(folder: string, manifest: BackupManifest): Promise<readonly string[]> {
  const listed = await sumOf(join(folder, SUMS_FILE)).catch(() => null);
  if (listed?.sha256 !== manifest.sums) throw damaged(folder, [SUMS_FILE]);
  const lines = (await readFile(join(folder, SUMS_FILE), 'utf8')).split('\n').slice(0, -1);
  const faults: string[] = [];
  const paths: string[] = [];
  for (const line of lines) {
    const [sha256 = '', path = ''] = line.split('  ');
    if (path.startsWith('/') || path.split('/').includes('..')) throw damaged(folder, [path]);
    const found = await sumOf(join(folder, path)).catch(() => null);
    if (found?.sha256 !== sha256) faults.push(path);
    paths.push(path);
  }
  if (faults.length > 0 || paths.length !== manifest.files) throw damaged(folder, faults);
  return paths;
}

const NAMED_AT_MOST = 10;

function damaged(folder: string, paths: readonly string[]): BackupRefusal {
  const names = paths.slice(0, NAMED_AT_MOST).join(', ');
  const more = paths.length > NAMED_AT_MOST ? ` and ${paths.length - NAMED_AT_MOST} more` : '';
  return new BackupRefusal(
    `The back-up in ${folder} is damaged or not whole: ${names}${more} is missing or not as it was written. Nothing was changed. Take another copy of it, or an older back-up.`,
  );
}
