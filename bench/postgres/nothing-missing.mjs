import { query } from '../lib/postgres-server.mjs';
import { assertJobsDone, expectNone } from '../scale/nothing-lost.mjs';

const JOBS_WITHOUT_A_PHOTO = `
  select id from analysis_jobs job
   where result is null or not exists (select from images where images.id = job.image_id and images.status = 'stored')`;
/** Tables of which `loseOne` may take a row. */
const LOSABLE = new Set(['reports', 'analysis_jobs', 'images', 'audit_events', 'quota_usage']);

export async function auditRowsOf(databaseUrl) {
  const [{ rows }] = await query(databaseUrl, 'select count(*)::int as rows from audit_events');
  return rows;
}

/**
 * Fails unless every job is there and done as after the product itself: completed at its first attempt, with its result, a stored photo, one
 * report and one charge; every event was found and struck off; and the audit trail has all its rows. Returns how many jobs there are.
 */
export async function assertNothingMissing({ databaseUrl, accepted, told, noted, auditRows }) {
  const { jobs, repeated, failed } = await assertJobsDone({ databaseUrl, accepted });
  if (repeated + failed > 0) throw new Error(`${repeated} jobs were started twice, ${failed} failed.`);
  expectNone('jobs have no result or no stored photo', await query(databaseUrl, JOBS_WITHOUT_A_PHOTO));
  if (told !== noted) throw new Error(`${noted} events were handled, and ${told} found in the outbox.`);
  const found = await auditRowsOf(databaseUrl);
  if (found !== auditRows) throw new Error(`The audit trail has ${found} rows instead of ${auditRows}.`);
  return jobs;
}

/** Takes one row away, and fails unless the counts fail now. */
export async function assertLossIsNoticed(found, table) {
  await loseOne(found.databaseUrl, table);
  const fault = await assertNothingMissing(found).catch((error) => error);
  if (!(fault instanceof Error)) throw new Error(`A row of ${table} was taken away, and nobody missed it.`);
  console.log(`without a row of ${table}: ${fault.message}`);
}

async function loseOne(databaseUrl, table) {
  if (!LOSABLE.has(table)) throw new Error(`--lose takes one of ${[...LOSABLE].join(', ')}.`);
  await query(
    databaseUrl,
    `with unbound as materialized (select set_config('session_replication_role', 'replica', false)),
       chosen as materialized (select tableoid, ctid from ${table} limit 1)
     delete from ${table} using unbound, chosen where (${table}.tableoid, ${table}.ctid) = (chosen.tableoid, chosen.ctid)`,
  );
}
