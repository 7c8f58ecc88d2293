import { readFileSync, readdirSync } from 'node:fs';
import { startPostgres } from './lib/postgres-server.mjs';
import { startGateway } from './lib/gateway.mjs';
import { startFloor } from './lib/child-program.mjs';
import { loadHttp } from './lib/load-http.mjs';
import { createTenants } from './lib/tenants.mjs';
import { s5 } from './scenarios/s5-fhir-create.mjs';
const src = readFileSync(new URL('./scenarios/s5-fhir-create.mjs', import.meta.url), 'utf8');
const body = (0, eval)('(' + src.match(/function depthOfWound[\s\S]*?\n}\n/)[0] + ')');
const ticks = (pid) => { try { const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' '); return Number(f[11]) + Number(f[12]); } catch { return 0; } };
const procs = () => readdirSync('/proc').filter((d) => /^\d+$/.test(d));
const pgTicks = (data) => procs().reduce((n, p) => { try { const c = readFileSync(`/proc/${p}/cmdline`, 'utf8'); return c.includes('postgres:') && c.includes(data) ? n + ticks(p) : n; } catch { return n; } }, 0);
const postgres = await startPostgres();
const databaseUrl = await postgres.createDatabase();
const dbName = new URL(databaseUrl).pathname.slice(1);
const secs = Number(process.argv[2] ?? 5);
async function measure(name, pid, url, request) {
  await loadHttp({ url, connections: 20, secs: 3, requests: [request] });
  const [a, b] = [ticks(pid), pgTicks(dbName)];
  const run = await loadHttp({ url, connections: 20, secs, requests: [request] });
  const [c, d] = [ticks(pid), pgTicks(dbName)];
  console.log(name, 'answered', run.answered, 'rate', run.perSecond?.toFixed?.(0), 'node ms/req', ((c - a) * 10 / run.answered).toFixed(2), 'pg ms/req', ((d - b) * 10 / run.answered).toFixed(2));
}
if (process.argv[3] !== 'ours') {
  const peer = await startFloor(new URL('./peers/medplum-router.mjs', import.meta.url).pathname, { databaseUrl, poolSize: 16 });
  await measure('peer', peer.child.pid, peer.url, { method: 'POST', path: '/Observation', headers: { 'content-type': 'application/fhir+json' }, body: JSON.stringify(body('Patient/x')) });
  peer.child.kill('SIGKILL');
}
const gateway = await startGateway({ databaseUrl, env: { SUTURA_ROLES: 'api', SUTURA_DATABASE_POOL: '16' } });
const [tenant] = await createTenants(gateway, 1);
const headers = { 'content-type': 'application/fhir+json', authorization: tenant.authorization };
const { id } = await (await fetch(`${gateway.baseUrl}/fhir/Patient`, { method: 'POST', headers, body: JSON.stringify({ resourceType: 'Patient' }) })).json();
await measure('ours', gateway.child.pid, gateway.baseUrl, { method: 'POST', path: '/fhir/Observation', headers, body: JSON.stringify(body(`Patient/${id}`)) });
await gateway.stop();
await postgres.stop?.();
process.exit(0);
