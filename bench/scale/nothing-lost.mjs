import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CHARGES_WITHOUT_THEIR_JOBS, JOBS_WITHOUT_THEIR_ONE_REPORT } from '../../test/support/promise-statements.mjs';
import { query } from '../lib/postgres-server.mjs';

const CLI = resolve(import.meta.dirname, '../../dist/src/cli.js');
const OPEN = `select (select count(*) from analysis_jobs where status in ('queued', 'processing'))::int
                   + (select count(*) from outbox_events)::int as open`;
/** An event whose delivery was interrupted comes back after 30 s. */
const DRAIN_MS = 120_000;
const MAX_OUTPUT_BYTES = 64 * 1024 ** 2;

/**
 * Fails unless `assertJobsDone` holds, the photo, mask and documents of each job are in the store as they were written, and the audit trail is
 * whole. Returns what that returns.
 */
export async function assertNothingLost({ databaseUrl, settings, accepted }) {
  const found = await assertJobsDone({ databaseUrl, accepted });
  for (const words of [
    ['objects', 'verify'],
    ['audit', 'verify'],
  ])
    await command(words, settings);
  return found;
}

/**
 * Fails unless every acknowledged job is there, and no other; has ended, once, with one report that stands and one charge; and its events were
 * handled.
 *
 * @returns how many jobs there are, how many took more than one attempt, and how many ended as errors after three
 */
export async function assertJobsDone({ databaseUrl, accepted }) {
  await drain(databaseUrl);
  const jobs = await query(databaseUrl, 'select id, status, attempts from analysis_jobs');
  const [known, wanted] = [new Set(jobs.map(({ id }) => id)), new Set(accepted)];
  expectNone(
    'acknowledged jobs are missing',
    accepted.filter((id) => !known.has(id)),
  );
  expectNone(
    'jobs exist that nobody was told of',
    jobs.filter(({ id }) => !wanted.has(id)),
  );
  expectNone('jobs were acknowledged twice', wanted.size === accepted.length ? [] : ['see the log']);
  const failed = jobs.filter(({ status }) => status !== 'completed');
  expectNone(
    'jobs ended as errors before their third attempt',
    failed.filter(({ attempts }) => attempts < 3),
  );
  expectNone('completed jobs have no report, or several', await query(databaseUrl, JOBS_WITHOUT_THEIR_ONE_REPORT));
  expectNone('days are charged otherwise than their jobs', await query(databaseUrl, CHARGES_WITHOUT_THEIR_JOBS));
  return { jobs: jobs.length, repeated: jobs.filter(({ attempts }) => attempts > 1).length, failed: failed.length };
}

async function drain(databaseUrl) {
  const end = performance.now() + DRAIN_MS;
  for (;;) {
    const [{ open }] = await query(databaseUrl, OPEN);
    if (open === 0) return;
    if (performance.now() > end) throw new Error(`${open} jobs and events are still open after ${DRAIN_MS / 1000} s.`);
    await pause(200);
  }
}

/** Fails where something was found that must not be. */
export function expectNone(what, found) {
  if (found.length > 0) throw new Error(`${found.length} ${what}: ${JSON.stringify(found.slice(0, 3))}`);
}

async function command(words, settings) {
  const { PATH, HOME } = process.env;
  await promisify(execFile)(process.execPath, [CLI, ...words], {
    env: { PATH, HOME, ...settings },
    maxBuffer: MAX_OUTPUT_BYTES,
  });
}
