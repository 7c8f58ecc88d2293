import { loadJobs, pickJobs } from '../lib/bulk-jobs.mjs';
import { openClaims } from '../lib/claims.mjs';
import { startGateway } from '../lib/gateway.mjs';
import { timeRequests } from '../lib/load-http.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { query } from '../lib/postgres-server.mjs';
import { median } from '../lib/statistics.mjs';
import { createTenants, uploadPhoto } from '../lib/tenants.mjs';

/** Few enough that a thousand jobs already fill a page of each. */
const ORGANIZATIONS = 20;
const LANES = 4;
const LIMITS = { poll: 1.3, create: 1.3, claim: 1.3, list: 1.5 };

/** The same four operations with a thousand and with a million stored jobs. `--jobs N` shortens the way for a trial. */
export const s9 = {
  id: 's9',
  name: 'growth with stored jobs',
  unit: 'ratio of p50',
  goal: 'at most 1.3 for poll, create and claim, 1.5 for list, from 1e3 to 1e6 jobs',
  async run({ postgres, secs, rounds, jobs }) {
    const databaseUrl = await postgres.createDatabase();
    const gateway = await startGateway({ databaseUrl, env: { SUTURA_ROLES: 'api' } });
    const tenants = await createTenants(gateway, ORGANIZATIONS);
    const [photo] = await drawPhotos(['1 MP']);
    for (const tenant of tenants) tenant.imageId = await uploadPhoto(gateway, tenant, photo.bytes);
    const claims = await openClaims(databaseUrl);
    const at = async (total) => {
      await loadJobs(databaseUrl, tenants, total);
      return measure({ gateway, databaseUrl, tenants, claims, secs, rounds });
    };
    const few = await at(1000);
    const many = await at(jobs);
    await claims.close();
    await gateway.stop();
    const growth = Object.fromEntries(
      Object.keys(LIMITS).map((name) => [name, Math.round((many[name] / few[name]) * 1000) / 1000]),
    );
    return {
      growth,
      p50Ms: { few, many },
      jobs,
      ratio: null,
      passed: Object.entries(LIMITS).every(([name, limit]) => growth[name] <= limit),
    };
  },
};

/** p50 in milliseconds of each operation, each the median over the rounds; the first pass warms up and is thrown away. */
async function measure({ gateway, databaseUrl, tenants, claims, secs, rounds }) {
  const picked = await pickJobs(databaseUrl, tenants, 1000);
  const operations = operationsOn(gateway, tenants, picked, secs);
  const results = { poll: [], create: [], claim: [], list: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const taken = {
      poll: await operations.poll(),
      list: await operations.list(),
      create: await operations.create(),
      claim: await claims.time(secs),
    };
    if (round === 0) continue;
    for (const [name, durationsMs] of Object.entries(taken)) results[name].push(median(durationsMs));
  }
  await query(databaseUrl, 'vacuum (analyze) analysis_jobs');
  return Object.fromEntries(Object.entries(results).map(([name, medians]) => [name, median(medians)]));
}

function operationsOn(gateway, tenants, picked, secs) {
  let turn = 0;
  const turnOf = (list) => list[(turn += 1) % list.length];
  const timed = (next) => timeRequests({ url: gateway.baseUrl, lanes: LANES, secs, next });
  const get = (path, { authorization }) => ({ method: 'GET', path, headers: { authorization } });
  return {
    poll: () =>
      timed(() => {
        const { id, tenant } = turnOf(picked);
        return get(`/api/v1/analysis/jobs/${id}`, tenant);
      }),
    list: () => timed(() => get('/api/v1/analysis/jobs?limit=20', turnOf(tenants))),
    create: () =>
      timed(() => {
        const tenant = turnOf(tenants);
        const body = JSON.stringify({ imageId: tenant.imageId });
        return {
          method: 'POST',
          path: '/api/v1/analysis/jobs',
          headers: { authorization: tenant.authorization, 'content-type': 'application/json' },
          body,
        };
      }),
  };
}
