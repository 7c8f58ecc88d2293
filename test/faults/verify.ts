import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { MAX_ATTEMPTS } from '../../src/core/analysis/analysis-job.js';
import { queryDatabase } from '../support/database-query.js';
import { eventually } from '../support/eventually.js';
import {
  CHARGES_WITHOUT_JOBS_OF_ANY_DAY,
  CHARGES_WITHOUT_THEIR_JOBS,
  JOBS_WITHOUT_THEIR_ONE_REPORT,
} from '../support/promise-statements.mjs';

/** Where a gateway under test kept its things. */
export interface Ground {
  readonly databaseUrl: string;
  readonly dataDir: string;
}

/** An event whose delivery was interrupted comes back after 30 s. */
const OUTBOX_PATIENCE_MS = 45_000;

export interface VerifyRules {
  /** Jobs that may end as errors; every other one must be completed. */
  readonly mayFail?: readonly string[];
  /** False where the test moved the database's clock over midnight: then the sums over all days must agree. */
  readonly dayByDay?: boolean;
  readonly drainMs?: number;
  /** True where the database came back to an earlier moment than its store: that has more pictures, and what a killed gateway was writing. */
  readonly storeIsNewer?: boolean;
  /** True where photos lie in a bucket, which `objects verify` looks through instead. */
  readonly inBucket?: boolean;
}

interface JobRow {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
  readonly error: { code: string } | null;
}

/**
 * The promises that hold after every fault: what was accepted is there and nothing else is, everything has ended, once,
 * every charge has its job, and nothing is left lying about.
 */
export async function verify(
  ground: Ground,
  acceptedJobIds: readonly string[],
  rules: VerifyRules = {},
): Promise<void> {
  const { databaseUrl } = ground;
  await eventually('every job has ended', () => drained(databaseUrl), rules.drainMs ?? 60_000, 100);
  const jobs = await queryDatabase<JobRow>(
    databaseUrl,
    'select id, status, attempts, error from analysis_jobs order by id',
  );
  expect(jobs.map((job) => job.id)).toEqual([...new Set(acceptedJobIds)].sort());
  const mayFail = new Set(rules.mayFail ?? []);
  expect(jobs.filter((job) => job.status !== 'completed' && !mayFail.has(job.id))).toEqual([]);
  expect(jobs.filter((job) => job.attempts < 1 || job.attempts > MAX_ATTEMPTS)).toEqual([]);
  const charges = (rules.dayByDay ?? true) ? CHARGES_WITHOUT_THEIR_JOBS : CHARGES_WITHOUT_JOBS_OF_ANY_DAY;
  expect(await queryDatabase(databaseUrl, charges)).toEqual([]);
  await eventually('the outbox is empty', () => outboxIsEmpty(databaseUrl), OUTBOX_PATIENCE_MS, 100);
  expect(await queryDatabase(databaseUrl, JOBS_WITHOUT_THEIR_ONE_REPORT)).toEqual([]);
  if (rules.inBucket === true) return;
  const files = await filesBelow(join(ground.dataDir, 'objects'));
  const masks = files.filter((file) => /\/mask[^/]*$/.test(file));
  const completed = jobs.filter((job) => job.status === 'completed');
  expect(completed.filter((job) => !masks.some((file) => file.endsWith(job.id)))).toEqual([]);
  if (rules.storeIsNewer === true) return;
  expect(files.filter((file) => file.startsWith('tmp/'))).toEqual([]);
  expect(masks).toHaveLength(completed.length);
}

async function drained(databaseUrl: string): Promise<boolean> {
  const rows = await queryDatabase<{ open: number }>(
    databaseUrl,
    `select count(*)::int as open from analysis_jobs where status in ('queued', 'processing')`,
  );
  return rows[0]?.open === 0;
}

async function outboxIsEmpty(databaseUrl: string): Promise<boolean> {
  const rows = await queryDatabase<{ left: number }>(databaseUrl, 'select count(*)::int as left from outbox_events');
  return rows[0]?.left === 0;
}

/** Paths inside the folder. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
