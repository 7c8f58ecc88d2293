import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { createFirstReleaseDatabase } from './first-release-database.js';
import type { TestDatabase } from './test-database.js';

const FOLDER = resolve(__dirname, '../fixtures/releases');

/** The rows and files of a release. */
interface StoredData {
  readonly release: string;
  /** Each row as PostgreSQL's JSON text. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
  readonly sequences: Readonly<Record<string, string>>;
  /** Files below `objects` of the data folder, in base64. */
  readonly objects: Readonly<Record<string, string>>;
}

/** What a release left when it was killed in the middle of its work (test/fixtures/releases/make-unfinished-data.mjs). */
export interface UnfinishedData extends StoredData {
  /** Ids of the jobs that callers created. */
  readonly jobs: readonly string[];
  /** Numbers of the orders that it acknowledged. */
  readonly orders: readonly string[];
}

/** What a release left behind (test/fixtures/releases/make-release-data.mjs). */
export interface ReleaseData extends StoredData {
  /** SHA-256 of its migrations' files, by name. */
  readonly migrations: Readonly<Record<string, string>>;
  /** What the release itself answered. */
  readonly expected: {
    readonly organizationId: string;
    readonly reviewed: string;
    readonly native: readonly {
      readonly path: string;
      readonly version: number;
      readonly status: string;
      readonly areaCm2: number | null;
    }[];
    readonly fhir: readonly { readonly type: string; readonly ids: readonly string[] }[];
  };
}

export function releasesWithData(): readonly string[] {
  return readdirSync(FOLDER).flatMap((name) => /^(\d+\.\d+\.\d+)\.json\.gz$/.exec(name)?.[1] ?? []);
}

export function readReleaseData(release: string): ReleaseData {
  return readPacked(release) as ReleaseData;
}

export function releasesWithUnfinishedData(): readonly string[] {
  return readdirSync(FOLDER).flatMap((name) => /^(\d+\.\d+\.\d+)-unfinished\.json\.gz$/.exec(name)?.[1] ?? []);
}

export function readUnfinishedData(release: string): UnfinishedData {
  return readPacked(`${release}-unfinished`) as UnfinishedData;
}

function readPacked(name: string): unknown {
  return JSON.parse(gunzipSync(readFileSync(join(FOLDER, `${name}.json.gz`))).toString('utf8'));
}

/** The release's database, made by its own migrations and filled with its rows, and its objects below `dataDir`. */
export async function restoreRelease(data: StoredData, dataDir: string): Promise<TestDatabase> {
  for (const [path, base64] of Object.entries(data.objects)) {
    const file = join(dataDir, 'objects', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, Buffer.from(base64, 'base64'));
  }
  const database = await createFirstReleaseDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // Rows come table by table, so that references are not looked at.
  await client.query('set session_replication_role = replica');
  for (const [table, rows] of Object.entries(data.tables)) {
    if (table === 'migrations' || rows.length === 0) continue;
    const { rows: columns } = await client.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
      [table],
    );
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    for (const row of rows)
      await client.query(
        `insert into ${table} (${names}) overriding system value select ${names} from json_populate_record(null::${table}, $1)`,
        [row],
      );
  }
  for (const [sequence, last] of Object.entries(data.sequences))
    if (sequence !== 'migrations_id_seq') await client.query('select setval($1::regclass, $2)', [sequence, last]);
  await client.end();
  return database;
}
