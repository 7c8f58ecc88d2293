import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { compareAbba } from '../lib/abba.mjs';
import { loadJobs, pickJobs } from '../lib/bulk-jobs.mjs';
import { endProcess, startFloor } from '../lib/child-program.mjs';
import { startGateway } from '../lib/gateway.mjs';
import { loadHttp, timeRequests } from '../lib/load-http.mjs';
import { openConsoles } from '../lib/open-consoles.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { query } from '../lib/postgres-server.mjs';
import { describeLatencies } from '../lib/statistics.mjs';
import { createJob, createTenants, uploadPhoto } from '../lib/tenants.mjs';

const FLOOR = resolve(import.meta.dirname, '../floors/raw-http-select.mjs');
const POOL = 16;
const CONNECTIONS = 20;
const JOBS = 10_000;
const QUIET_POLLS_PER_S = 100;

/**
 * Reading a job against a bare server with one select; and whether polls stay quick while every core computes. `--consoles N`: beside so many
 * open consoles, all the time.
 */
export const s4 = {
  id: 's4',
  name: 'poll a job',
  unit: 'requests/s',
  goal: 'at least 0.50 of raw http with one select; p99 under saturated workers at most max(3 × idle, 50 ms)',
  async run({ postgres, secs, rounds, model, consoles }) {
    const databaseUrl = await postgres.createDatabase();
    const env = {
      SUTURA_DATABASE_POOL: String(POOL),
      SUTURA_WORKER_PROCESSES: String(cpus().length),
      SUTURA_SEGMENTATION_MODEL: model,
    };
    const gateway = await startGateway({ databaseUrl, env });
    const floor = await startFloor(FLOOR, { databaseUrl, poolSize: POOL });
    const tenants = await createTenants(gateway, 20);
    const [photo] = await drawPhotos(['1 MP']);
    for (const tenant of tenants) tenant.imageId = await uploadPhoto(gateway, tenant, photo.bytes);
    await loadJobs(databaseUrl, tenants, JOBS);
    const jobs = await pickJobs(databaseUrl, tenants, 500);

    const ours = jobs.map(({ id, tenant }) => ({
      method: 'GET',
      path: `/api/v1/analysis/jobs/${id}`,
      headers: { authorization: tenant.authorization },
    }));
    const bare = jobs.map(({ id, tenant }) => ({
      method: 'GET',
      path: `/jobs/${id}`,
      headers: { 'x-organization': tenant.organizationId },
    }));
    const rate = (url, requests) => async () =>
      (await loadHttp({ url, connections: CONNECTIONS, secs, requests })).perSecond;
    const opened = openConsoles(gateway, consoles);
    const compared = await compareAbba(rounds, { ours: rate(gateway.baseUrl, ours), floor: rate(floor.url, bare) });
    await endProcess(floor.child, 'SIGKILL');

    const busy = await pollBesideWork({ gateway, databaseUrl, tenants, requests: ours, secs: secs * rounds });
    await opened.close();
    await gateway.stop();
    const limitMs = Math.max(3 * busy.idleMs.p99, 50);
    return {
      ...compared,
      ...busy,
      consoles,
      limitMs,
      passed: compared.ratio >= 0.5 && busy.saturatedMs.p99 <= limitMs,
    };
  },
};

/** The same gentle polling on an idle service and beside a backlog that keeps every inference process busy. */
async function pollBesideWork({ gateway, databaseUrl, tenants, requests, secs }) {
  let turn = 0;
  const next = () => requests[(turn += 1) % requests.length];
  const poll = () => timeRequests({ url: gateway.baseUrl, lanes: 4, secs, perSecond: QUIET_POLLS_PER_S, next });
  const idle = await poll();
  const backlog = cpus().length * Math.max(20, Math.ceil(secs * 12));
  for (let count = 0; count < backlog; count += 1) {
    const tenant = tenants[count % tenants.length];
    await createJob(gateway, tenant, tenant.imageId);
  }
  const saturated = await poll();
  const [{ waiting }] = await query(
    databaseUrl,
    `select count(*)::int as waiting from analysis_jobs where status = 'queued'`,
  );
  if (waiting === 0) throw new Error('The workers ran out of work during the measurement; the backlog was too small.');
  return { idleMs: describeLatencies(idle), saturatedMs: describeLatencies(saturated) };
}
