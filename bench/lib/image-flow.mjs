import { query } from './postgres-server.mjs';
import { createJob, uploadPhoto, waitForJob } from './tenants.mjs';

const FLOWS_PER_PROCESS = 3;

/**
 * Keeps the gateway busy with whole flows (upload-url, PUT, create, wait) for `secs` and answers how many images per
 * second it completed, as the database saw it. A job lost, doubled or in error fails the bench.
 */
export async function runImageFlows({ gateway, databaseUrl, tenant, photos, processes, secs }) {
  const accepted = [];
  const began = performance.now();
  const end = began + secs * 1000;
  let turn = 0;
  const lane = async () => {
    while (performance.now() < end) {
      const photo = photos[turn % photos.length];
      turn += 1;
      const jobId = await createJob(gateway, tenant, await uploadPhoto(gateway, tenant, photo.bytes));
      accepted.push(jobId);
      await waitForJob(gateway, tenant, jobId);
    }
  };
  await Promise.all(Array.from({ length: processes * FLOWS_PER_PROCESS }, lane));
  const elapsedS = (performance.now() - began) / 1000;
  await assertAllCompleted(databaseUrl, accepted);
  return { perSecond: accepted.length / elapsedS, images: accepted.length };
}

/** Rows equal acknowledgements, each completed at its first attempt. */
export async function assertAllCompleted(databaseUrl, jobIds) {
  const sql = `select count(*) filter (where status = 'completed' and attempts = 1)::int as good, count(*)::int as found
    from analysis_jobs where id = any ($1::uuid[])`;
  const [row] = await query(databaseUrl, sql, [jobIds]);
  if (row.found !== jobIds.length || row.good !== jobIds.length) {
    throw new Error(
      `Of ${jobIds.length} accepted jobs ${row.found} exist and ${row.good} completed at their first attempt.`,
    );
  }
}
