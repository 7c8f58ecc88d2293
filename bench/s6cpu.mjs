import { readFileSync, readdirSync } from 'node:fs';
import sharp from 'sharp';
import { startPostgres } from './lib/postgres-server.mjs';
import { startGateway } from './lib/gateway.mjs';
import { startFloor } from './lib/child-program.mjs';
import { loadHttp } from './lib/load-http.mjs';
import { createTenants } from './lib/tenants.mjs';
const src = readFileSync(new URL('./scenarios/s6-fhir-transaction.mjs', import.meta.url), 'utf8');
const transaction = (0, eval)('(' + src.match(/function transaction[\s\S]*?\n}\n/)[0] + ')');
globalThis.sharp = sharp;
const draw = (0, eval)('(' + src.match(/async function drawPhotoOf[\s\S]*?\n}\n/)[0] + ')');
const ticks = (pid) => { try { const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' '); return Number(f[11]) + Number(f[12]); } catch { return 0; } };
const procs = () => readdirSync('/proc').filter((d) => /^\d+$/.test(d));
const pgTicks = (data) => procs().reduce((n, p) => { try { const c = readFileSync(`/proc/${p}/cmdline`, 'utf8'); return c.includes('postgres:') && c.includes(data) ? n + ticks(p) : n; } catch { return n; } }, 0);
const postgres = await startPostgres();
const databaseUrl = await postgres.createDatabase();
const dbName = new URL(databaseUrl).pathname.slice(1);
const body = JSON.stringify(transaction(await draw(200 * 1024)));
console.log('body', body.length);
const threads = (pid) => new Map(readdirSync(`/proc/${pid}/task`).map((t) => { const raw = readFileSync(`/proc/${pid}/task/${t}/stat`, 'utf8'); const f = raw.split(') ')[1].split(' '); return [`${t} ${raw.match(/\((.*)\)/)[1]}`, [Number(f[11]), Number(f[12])]]; }));
async function measure(name, pid, url, request) {
  await loadHttp({ url, connections: 20, secs: 3, requests: [request] });
  const th0 = threads(pid); const [a, b] = [ticks(pid), pgTicks(dbName)];
  const run = await loadHttp({ url, connections: 20, secs: 6, requests: [request] });
  const [c, d] = [ticks(pid), pgTicks(dbName)];
  for (const [k, [u, y]] of threads(pid)) { const [u0, y0] = th0.get(k) ?? [0, 0]; if (u - u0 + y - y0 > 5) console.log('   ', k, 'user', ((u - u0) * 10 / run.answered).toFixed(2), 'sys', ((y - y0) * 10 / run.answered).toFixed(2)); }
  console.log(name, 'answered', run.answered, 'rate', run.perSecond?.toFixed?.(0), 'node ms/req', ((c - a) * 10 / run.answered).toFixed(2), 'pg ms/req', ((d - b) * 10 / run.answered).toFixed(2));
}
const headers = { 'content-type': 'application/fhir+json' };
const floor = await startFloor(new URL('./floors/raw-fhir-insert.mjs', import.meta.url).pathname, { databaseUrl, poolSize: 16 });
if (!process.env.OURS) await measure('floor', floor.child.pid, floor.url, { method: 'POST', path: '/', headers, body });
floor.child.kill('SIGKILL');
const peer = await startFloor(new URL('./peers/medplum-router.mjs', import.meta.url).pathname, { databaseUrl, poolSize: 16 });
if (!process.env.OURS) await measure('peer', peer.child.pid, peer.url, { method: 'POST', path: '/', headers, body });
peer.child.kill('SIGKILL');
const gateway = await startGateway({ databaseUrl, env: { SUTURA_ROLES: 'api', SUTURA_DATABASE_POOL: '16' } });
let gcs=''; gateway.child.stdout.on('data',(d)=>gcs+=d); const [tenant] = await createTenants(gateway, 1);
await measure('ours', gateway.child.pid, gateway.baseUrl, { method: 'POST', path: '/fhir', headers: { ...headers, authorization: tenant.authorization }, body });
{ const k={}; for (const l of gcs.split('\n')) { const m=l.match(/ms: (Scavenge|Mark-Compact|Minor Mark-Compact)[^\/]*? ([\d.]+) \/ [\d.]+ ms (.*)/); if (m) { const key=m[1]+' '+(m[3].match(/(external memory pressure|allocation failure|finalize incremental marking[^;]*|task|testing)/)?.[1]??m[3].slice(0,60)); (k[key]??=[0,0])[0]++; k[key][1]+=Number(m[2]); } } console.log(k); console.log(gcs.split('\n').filter(l=>/Mark-Compact/.test(l)).slice(-6).join('\n')); console.log(gcs.split('\n').filter(l=>/Scav/.test(l)).slice(-4).join('\n')); }
await gateway.stop();
await postgres.stop?.();
process.exit(0);
