import { resolve } from 'node:path';
import { compareAbba } from '../lib/abba.mjs';
import { endProcess, startFloor } from '../lib/child-program.mjs';
import { startGateway } from '../lib/gateway.mjs';
import { loadHttp } from '../lib/load-http.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { query } from '../lib/postgres-server.mjs';
import { createTenants, uploadPhoto } from '../lib/tenants.mjs';

const FLOOR = resolve(import.meta.dirname, '../floors/raw-http-insert.mjs');
const ORGANIZATIONS = 50;
const CONNECTIONS = 20;
const POOL = 16;

/** Creating jobs against a bare server with the same statements; over many organizations, and on one (the hot quota row). */
export const s3 = {
  id: 's3',
  name: 'create a job',
  unit: 'requests/s',
  goal: 'at least 0.40 of raw http with the same statements; one organization at least 0.6 of its own floor',
  async run({ postgres, secs, rounds }) {
    const databaseUrl = await postgres.createDatabase();
    const gateway = await startGateway({
      databaseUrl,
      env: { SUTURA_ROLES: 'api', SUTURA_DATABASE_POOL: String(POOL) },
    });
    const floor = await startFloor(FLOOR, { databaseUrl, poolSize: POOL });
    const tenants = await createTenants(gateway, ORGANIZATIONS);
    const [photo] = await drawPhotos(['1 MP']);
    for (const tenant of tenants) tenant.imageId = await uploadPhoto(gateway, tenant, photo.bytes);

    const counted = { answered: 0, p50: [], p99: [] };
    const many = await compare({ gateway, floor, tenants, secs, rounds, counted });
    const one = await compare({ gateway, floor, tenants: tenants.slice(0, 1), secs, rounds, counted });
    await assertRows(databaseUrl, counted.answered);
    await endProcess(floor.child, 'SIGKILL');
    await gateway.stop();
    const passed = many.ratio >= 0.4 && one.ratio >= 0.6;
    return {
      ...many,
      p50: Math.max(...counted.p50),
      p99: Math.max(...counted.p99),
      oneOrganization: one,
      created: counted.answered,
      passed,
    };
  },
};

function compare({ gateway, floor, tenants, secs, rounds, counted }) {
  const body = (tenant) => JSON.stringify({ imageId: tenant.imageId });
  const json = { 'content-type': 'application/json' };
  const ours = tenants.map((tenant) => ({
    method: 'POST',
    path: '/api/v1/analysis/jobs',
    headers: { ...json, authorization: tenant.authorization },
    body: body(tenant),
  }));
  const bare = tenants.map((tenant) => ({
    method: 'POST',
    path: '/',
    headers: { ...json, 'x-organization': tenant.organizationId },
    body: body(tenant),
  }));
  const side = (url, requests, note) => async () => {
    const run = await loadHttp({ url, connections: CONNECTIONS, secs, requests });
    counted.answered += run.answered;
    if (note) {
      counted.p50.push(run.p50);
      counted.p99.push(run.p99);
    }
    return run.perSecond;
  };
  return compareAbba(rounds, { ours: side(gateway.baseUrl, ours, true), floor: side(floor.url, bare, false) });
}

/**
 * Every acknowledged create is a row with its charge. autocannon cuts its connections when its time is up, so up to one
 * more per connection and run may have been written without being counted; fewer rows than answers are a loss.
 */
async function assertRows(databaseUrl, answered) {
  const [{ jobs, used }] = await query(
    databaseUrl,
    `select (select count(*)::int from analysis_jobs) as jobs, (select sum(used)::int from quota_usage) as used`,
  );
  if (jobs < answered || jobs !== used)
    throw new Error(`${answered} creates were acknowledged, ${jobs} rows exist, ${used} were charged.`);
}
