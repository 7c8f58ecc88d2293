import { childrenMs, postmasterOf, readProcesses } from '../lib/processor-time.mjs';
import { query } from '../lib/postgres-server.mjs';

/** Processor time so far, in ms, of the gateway alone, of its inference processes, and of all processes of its PostgreSQL server. */
export function processorMs(gatewayPid, databaseUrl) {
  const all = readProcesses();
  const postmaster = postmasterOf(all, databaseUrl);
  return {
    gatewayMs: all.get(gatewayPid).ms,
    inferenceMs: childrenMs(all, gatewayPid),
    postgresMs: childrenMs(all, postmaster) + all.get(postmaster).ms,
  };
}

export async function writtenBytes(databaseUrl) {
  const [{ bytes }] = await query(databaseUrl, 'select wal_bytes::float8 as bytes from pg_stat_wal');
  return bytes;
}
