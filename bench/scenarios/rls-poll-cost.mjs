import pg from 'pg';
import { compareAbba } from '../lib/abba.mjs';
import { loadJobs, pickJobs } from '../lib/bulk-jobs.mjs';
import { startGateway } from '../lib/gateway.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { createTenants, uploadPhoto } from '../lib/tenants.mjs';

const LANES = 16;
const JOBS = 10_000;
const PLAIN = 'select * from analysis_jobs where id = $1 and organization_id = $2 and environment = $3';

/** What row-level security costs a poll: the function that the gateway calls, and the usual transaction, against a select without it. */
export const rls = {
  id: 'rls',
  name: 'row-level security, poll',
  unit: 'reads/s',
  goal: 'the one-statement read at least 0.5 of a plain select',
  async run({ postgres, secs, rounds }) {
    const databaseUrl = await postgres.createDatabase();
    const gateway = await startGateway({ databaseUrl, env: { SUTURA_ROLES: 'api' } });
    const tenants = await createTenants(gateway, 20);
    const [photo] = await drawPhotos(['1 MP']);
    for (const tenant of tenants) tenant.imageId = await uploadPhoto(gateway, tenant, photo.bytes);
    await gateway.stop();
    await loadJobs(databaseUrl, tenants, JOBS);
    const jobs = await pickJobs(databaseUrl, tenants, 500);

    const app = new pg.Pool({ connectionString: databaseUrl, max: LANES, options: '-c role=sutura_app' });
    const system = new pg.Pool({ connectionString: databaseUrl, max: LANES, options: '-c role=sutura_system' });
    // The server stops right after the last scenario: an idle connection may hear of it before it is closed.
    for (const pool of [app, system]) pool.on('error', () => undefined);
    const plain = () => readsPerSecond(jobs, secs, (job) => system.query(PLAIN, valuesOf(job)));
    const inOneStatement = () =>
      readsPerSecond(jobs, secs, ({ id, tenant }) =>
        app.query('select * from sutura_read_job($1, $2, $3)', [tenant.organizationId, 'test', id]),
      );
    const inTransaction = () => readsPerSecond(jobs, secs, (job) => readInTransaction(app, job));
    const oneStatement = await compareAbba(rounds, { ours: inOneStatement, floor: plain });
    const transaction = await compareAbba(rounds, { ours: inTransaction, floor: plain });
    await Promise.all([app.end(), system.end()]);
    return {
      ...oneStatement,
      transaction: { ratio: transaction.ratio, ours: transaction.ours },
      passed: oneStatement.ratio >= 0.5,
    };
  },
};

const valuesOf = ({ id, tenant }) => [id, tenant.organizationId, 'test'];

async function readInTransaction(pool, job) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`select set_config('app.organization', $1, true), set_config('app.environment', 'test', true)`, [
      job.tenant.organizationId,
    ]);
    const answer = await client.query(PLAIN, valuesOf(job));
    await client.query('commit');
    return answer;
  } finally {
    client.release();
  }
}

/** Every read must bring its row; a miss ends the measurement. */
async function readsPerSecond(jobs, secs, read) {
  const end = performance.now() + secs * 1000;
  let count = 0;
  const lane = async (turn) => {
    while (performance.now() < end) {
      const { rows } = await read(jobs[(turn += LANES) % jobs.length]);
      if (rows.length !== 1) throw new Error('A read did not bring its job.');
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, turn) => lane(turn)));
  return count / secs;
}
