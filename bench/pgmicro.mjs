import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { v7 } from 'uuid';
import { startPostgres } from './lib/postgres-server.mjs';
import { startGateway } from './lib/gateway.mjs';
import { createTenants } from './lib/tenants.mjs';
const src = readFileSync(new URL('./scenarios/s5-fhir-create.mjs', import.meta.url), 'utf8');
const depth = (0, eval)('(' + src.match(/function depthOfWound[\s\S]*?\n}\n/)[0] + ')');
const { writeStatement } = await import('../dist/src/fhir/store/write-statement.js');
const postgres = await startPostgres();
const databaseUrl = await postgres.createDatabase();
const gateway = await startGateway({ databaseUrl, env: { SUTURA_ROLES: 'api' } });
const [tenant] = await createTenants(gateway, 1);
await gateway.stop();
const { ResourceIndexer } = await import('../dist/src/fhir/search/index/resource-indexer.js');
const { TypeSearches } = await import('../dist/src/fhir/search/parameters/type-search.js');
const { R4Definitions } = await import('../dist/src/fhir/validation/r4-definitions.js');
const indexer = new ResourceIndexer(new TypeSearches(new R4Definitions()));
const client = new pg.Client({ connectionString: databaseUrl });
await client.connect();
const { rows: [{ pid }] } = await client.query('select pg_backend_pid() as pid');
const { rows: [org] } = await client.query('select id from organizations limit 1');
const T = { organizationId: org.id, environment: 'test' };
const ticks = () => { const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' '); return (Number(f[11]) + Number(f[12])) * 10; };
const make = () => { const resource = { ...depth('Patient/' + patient), id: v7() }; return { resource, lastUpdated: new Date(), author: key, rows: indexer.rowsOf(T, resource), unique: { scope: '', identifiers: [] } }; };
const [patient, key] = [v7(), v7()];
console.log(make().rows);
await client.query('set role sutura_app');
async function measure(label, n, total, work) {
  for (let warm = 0; warm < 100; warm++) await once(n, work);
  const c0 = process.cpuUsage(); const [a, t] = [ticks(), performance.now()];
  for (let i = 0; i < total / n; i++) await once(n, work);
  const c = process.cpuUsage(c0);
  console.log(label, 'n', n, 'pg cpu ms/each', ((ticks() - a) / total).toFixed(3), 'node ms/each', ((c.user + c.system) / 1000 / total).toFixed(3), 'wall', ((performance.now() - t) / total).toFixed(3));
}
async function once(n, work) {
  await client.query(`begin; select set_config('app.organization', '${T.organizationId}', true), set_config('app.environment', 'test', true)`);
  await work(n);
  await client.query('commit');
}
const write = async (n) => { const { sql, values } = writeStatement(T, 1, Array.from({ length: n }, make)); await client.query({ name: 'w', text: sql, values }); };
await measure('empty', 1, 1000, async () => {});
for (const n of [1, 2, 4, 10, 20]) await measure('write', n, 2000, write);
await client.end(); await postgres.stop?.(); process.exit(0);
