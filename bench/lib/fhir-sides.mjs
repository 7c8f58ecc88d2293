import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { compareAbba } from './abba.mjs';
import { endProcess, startFloor } from './child-program.mjs';
import { startGateway } from './gateway.mjs';
import { loadHttp } from './load-http.mjs';
import { query } from './postgres-server.mjs';
import { createTenants } from './tenants.mjs';

const FLOOR = resolve(import.meta.dirname, '../floors/raw-fhir-insert.mjs');
const PEERS = resolve(import.meta.dirname, '../peers');
const CONNECTIONS = 20;
const POOL = 16;
const FHIR_JSON = 'application/fhir+json';

/** Is Medplum's router there to compare with? It is not among the gateway's own packages: npm install --prefix bench/peers */
export function hasPeer() {
  return existsSync(resolve(PEERS, 'node_modules/@medplum/fhir-router'));
}

/**
 * One POST of FHIR, again and again: at the gateway, at a bare server, and at Medplum's router where it is installed. `requestOf` makes the
 * body and path for a side: { path, body }; of the gateway it gets the tenant, of the others null. Counts what is stored afterwards.
 */
export async function compareFhir({ postgres, secs, rounds, requestOf, countStored }) {
  const databaseUrl = await postgres.createDatabase();
  const env = { SUTURA_ROLES: 'api', SUTURA_DATABASE_POOL: String(POOL) };
  const gateway = await startGateway({ databaseUrl, env });
  const sides = { floor: await startFloor(FLOOR, { databaseUrl, poolSize: POOL }) };
  if (hasPeer()) sides.peer = await startFloor(resolve(PEERS, 'medplum-router.mjs'), { databaseUrl, poolSize: POOL });
  const [tenant] = await createTenants(gateway, 1);
  const wish = await requestOf(gateway, tenant);
  const seen = { answered: 0, unanswered: 0, p50: 0, p99: 0 };
  const ours = async () => {
    const requests = [
      {
        method: 'POST',
        path: `/fhir${wish.path}`,
        headers: { 'content-type': FHIR_JSON, authorization: tenant.authorization },
        body: JSON.stringify(wish.body),
      },
    ];
    const run = await loadHttp({ url: gateway.baseUrl, connections: CONNECTIONS, secs, requests });
    seen.answered += run.answered;
    // Warm-up and run each end with a request on its way in every connection.
    seen.unanswered += 2 * CONNECTIONS;
    seen.p50 = Math.max(seen.p50, run.p50);
    seen.p99 = Math.max(seen.p99, run.p99);
    return run.perSecond;
  };
  const bare =
    ({ url }) =>
    async () => {
      const requests = [
        {
          method: 'POST',
          path: wish.path || '/',
          headers: { 'content-type': FHIR_JSON },
          body: JSON.stringify(wish.bareBody ?? wish.body),
        },
      ];
      return (await loadHttp({ url, connections: CONNECTIONS, secs, requests })).perSecond;
    };
  const floor = await compareAbba(rounds, { ours, floor: bare(sides.floor) });
  const peer = sides.peer === undefined ? null : await compareAbba(rounds, { ours, floor: bare(sides.peer) });
  const stored = await countStored((sql) => query(databaseUrl, sql));
  for (const side of Object.values(sides)) await endProcess(side.child, 'SIGKILL');
  await gateway.stop();
  if (stored < seen.answered || stored > seen.answered + seen.unanswered)
    throw new Error(`${seen.answered} requests were answered, ${stored} are stored`);
  return {
    ...floor,
    peer: peer === null ? 'not installed' : { ratio: peer.ratio, rate: peer.floor },
    p50: seen.p50,
    p99: seen.p99,
    stored,
  };
}
