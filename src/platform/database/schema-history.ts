import type { QueryRunner } from 'typeorm';
import { MIGRATION_CHECKSUMS } from '../../../migrations/checksums.js';
import { MIGRATIONS } from '../../../migrations/index.js';
import { changedTablesOfFirstRelease, FIRST_RELEASE_MIGRATIONS } from './first-release-schema.js';
import { DatabaseRefusal } from './server-check.js';

interface AppliedMigration {
  readonly name: string;
  /** null if it was applied by a release that did not write checksums yet. */
  readonly sha256: string | null;
}

const NEVER_ANOTHER_WAY =
  'Start the release that made it, or restore a back-up that this release can read; docs/upgrade.md says how.';

/**
 * Compares the migrations of the database with those of this build before anything is written. DatabaseRefusal if the
 * database has a migration that this build lacks (a newer release), one with another text (an unreleased build), or
 * tables other than those of the release that it claims.
 */
export async function refuseForeignHistory(runner: QueryRunner): Promise<void> {
  const unfrozen = MIGRATIONS.find(({ name }) => MIGRATION_CHECKSUMS[name] === undefined);
  if (unfrozen !== undefined)
    throw new Error(
      `migrations/checksums.ts has no line for ${unfrozen.name}. Add the one that "npx jest schema-history" prints.`,
    );
  const applied = await readHistory(runner);
  const unknown = applied.filter(({ name }) => MIGRATION_CHECKSUMS[name] === undefined);
  if (unknown.length > 0) {
    throw new DatabaseRefusal(
      `The database is of a newer release: this build does not know its migration ${namesOf(unknown)}. Nothing was changed. ${NEVER_ANOTHER_WAY}`,
    );
  }
  const edited = applied.filter(({ name, sha256 }) => sha256 !== null && sha256 !== MIGRATION_CHECKSUMS[name]);
  if (edited.length > 0) {
    throw new DatabaseRefusal(
      `The database was made by another build: its migration ${namesOf(edited)} is not the one of this release. Nothing was changed. ${NEVER_ANOTHER_WAY}`,
    );
  }
  if (applied.length > 0 && applied.every(({ sha256 }) => sha256 === null))
    await refuseUnreleasedSchema(runner, applied);
}

/** Those of a history that this build does not have: it is of a newer release, or of another build. */
export function unknownMigrations(names: readonly string[]): readonly string[] {
  return names.filter((name) => MIGRATION_CHECKSUMS[name] === undefined);
}

/** True if these are the migrations of this build, all of them, each with its text. */
export function isWholeHistory(applied: readonly { readonly name: string; readonly sha256: string | null }[]): boolean {
  return (
    applied.length === Object.keys(MIGRATION_CHECKSUMS).length &&
    applied.every(({ name, sha256 }) => sha256 !== null && sha256 === MIGRATION_CHECKSUMS[name])
  );
}

/** The migrations of this build that the database lacks, oldest first. */
export async function pendingMigrations(runner: QueryRunner): Promise<readonly string[]> {
  const applied = new Set((await readHistory(runner)).map(({ name }) => name));
  return Object.keys(MIGRATION_CHECKSUMS).filter((name) => !applied.has(name));
}

/** Stores the checksum of each migration, in the transaction that applied it. */
export async function rememberChecksums(runner: QueryRunner): Promise<void> {
  const names = Object.keys(MIGRATION_CHECKSUMS);
  const checksums = Object.values(MIGRATION_CHECKSUMS);
  await runner.query(
    `update migrations set sha256 = known.sha256 from unnest($1::text[], $2::text[]) as known (name, sha256)
     where migrations.name = known.name and migrations.sha256 is null`,
    [names, checksums],
  );
}

async function readHistory(runner: QueryRunner): Promise<readonly AppliedMigration[]> {
  const columns = (await runner.query(
    `select attname as name from pg_attribute where attrelid = to_regclass('migrations') and attnum > 0 and not attisdropped`,
  )) as { name: string }[];
  if (columns.length === 0) return [];
  const sha256 = columns.some(({ name }) => name === 'sha256') ? 'sha256' : 'null as sha256';
  return (await runner.query(`select name, ${sha256} from migrations order by id`)) as AppliedMigration[];
}

/** The first release wrote no checksums and is known by its tables. Earlier builds were not released. */
async function refuseUnreleasedSchema(runner: QueryRunner, applied: readonly AppliedMigration[]): Promise<void> {
  const names = new Set(applied.map(({ name }) => name));
  const missing = FIRST_RELEASE_MIGRATIONS.filter((name) => !names.has(name));
  const changed =
    missing.length > 0 || names.size > FIRST_RELEASE_MIGRATIONS.length ? [] : await changedTablesOfFirstRelease(runner);
  if (missing.length === 0 && changed.length === 0) return;
  const what =
    missing.length > 0 ? `it lacks the migration ${missing.join(', ')}` : `these differ: ${changed.join(', ')}`;
  throw new DatabaseRefusal(
    `The database was made by a build before release 0.1.0 (${what}), and its records could be read wrongly. Nothing was changed. ${NEVER_ANOTHER_WAY}`,
  );
}

function namesOf(migrations: readonly AppliedMigration[]): string {
  return migrations.map(({ name }) => name).join(', ');
}
