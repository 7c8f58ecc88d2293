// variants: JSON list of env objects; each variant = own gateway process running at once but only one loaded at a time
import { readFileSync, readdirSync } from 'node:fs';
import { startPostgres } from './lib/postgres-server.mjs';
import { startGateway } from './lib/gateway.mjs';
import { startFloor } from './lib/child-program.mjs';
import { loadHttp } from './lib/load-http.mjs';
import { createTenants } from './lib/tenants.mjs';
const src = readFileSync(new URL('./scenarios/s5-fhir-create.mjs', import.meta.url), 'utf8');
const body = (0, eval)('(' + src.match(/function depthOfWound[\s\S]*?\n}\n/)[0] + ')');
const ticks = (pid) => { try { const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' '); return Number(f[11]) + Number(f[12]); } catch { return 0; } };
const procs = () => readdirSync('/proc').filter((d) => /^\d+$/.test(d));
const pgTicks = (data) => procs().reduce((n, p) => { try { const c = readFileSync(`/proc/${p}/cmdline`, 'utf8'); return c.includes('postgres:') && c.includes(data) ? n + ticks(p) : n; } catch { return n; } }, 0);
const variants = JSON.parse(process.argv[2]); const rounds = Number(process.argv[3] ?? 3), secs = Number(process.argv[4] ?? 3);
const postgres = await startPostgres();
const sides = [];
{ const databaseUrl = await postgres.createDatabase();
  const peer = await startFloor(new URL('./peers/medplum-router.mjs', import.meta.url).pathname, { databaseUrl, poolSize: 16 });
  sides.push({ name: 'peer', pid: peer.child.pid, db: new URL(databaseUrl).pathname.slice(1), url: peer.url, request: { method: 'POST', path: '/Observation', headers: { 'content-type': 'application/fhir+json' }, body: JSON.stringify(body('Patient/x')) }, end: () => peer.child.kill('SIGKILL') }); }
for (const [i, env] of variants.entries()) {
  const databaseUrl = await postgres.createDatabase();
  const { ROOT, ...rest } = env;
  const start = ROOT ? (await import(`${ROOT}/bench/lib/gateway.mjs`)).startGateway : startGateway;
  const gateway = await start({ databaseUrl, env: { SUTURA_ROLES: 'api', SUTURA_DATABASE_POOL: '16', ...rest } });
  const [tenant] = await createTenants(gateway, 1);
  const headers = { 'content-type': 'application/fhir+json', authorization: tenant.authorization };
  const { id } = await (await fetch(`${gateway.baseUrl}/fhir/Patient`, { method: 'POST', headers, body: JSON.stringify({ resourceType: 'Patient' }) })).json();
  sides.push({ name: JSON.stringify(env), pid: gateway.child.pid, db: new URL(databaseUrl).pathname.slice(1), url: gateway.baseUrl, request: { method: 'POST', path: '/fhir/Observation', headers, body: JSON.stringify(body(`Patient/${id}`)) }, end: () => gateway.stop() });
}
for (const s of sides) await loadHttp({ url: s.url, connections: 20, secs: 3, requests: [s.request] });
const res = new Map(sides.map((s) => [s.name, []]));
for (let r = 0; r < rounds; r++) for (const s of r % 2 ? [...sides].reverse() : sides) {
  const [a, b] = [ticks(s.pid), pgTicks(s.db)];
  const run = await loadHttp({ url: s.url, connections: 20, secs, requests: [s.request] });
  res.get(s.name).push({ rate: run.perSecond ?? run.answered / secs, node: (ticks(s.pid) - a) * 10 / run.answered, pg: (pgTicks(s.db) - b) * 10 / run.answered });
}
const gm = (l) => Math.exp(l.reduce((n, x) => n + Math.log(x), 0) / l.length);
const pr = gm(res.get('peer').map((x) => x.rate)), pc = gm(res.get('peer').map((x) => x.node + x.pg));
for (const [n, l] of res) console.log((gm(l.map((x) => x.rate)) / pr).toFixed(3), 'rate', gm(l.map((x) => x.rate)).toFixed(0), 'node', gm(l.map((x) => x.node)).toFixed(2), 'pg', gm(l.map((x) => x.pg)).toFixed(2), 'cpu/peer', (gm(l.map((x) => x.node + x.pg)) / pc).toFixed(2), n);
for (const s of sides) await s.end();
await postgres.stop?.();
process.exit(0);
