import { readdirSync, readFileSync } from 'node:fs';
import { query } from '../lib/postgres-server.mjs';

/** Of one tick of /proc, on every Linux that Node.js runs on. */
const TICK_MS = 10;

/** Parent and processor time of a process, that of its ended children included (proc(5), stat). */
function readProcess(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return {
    parent: Number(fields[1]),
    ms: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0),
  };
}

function readAll() {
  const all = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      all.set(Number(name), readProcess(name));
    } catch {
      // It ended meanwhile.
    }
  }
  return all;
}

/** Processor time so far, in ms, of the gateway alone, of its inference processes, and of all processes of its PostgreSQL server. */
export function processorMs(gatewayPid, databaseUrl) {
  const all = readAll();
  const children = (parent) => [...all].filter(([, process]) => process.parent === parent);
  const sum = (processes) => processes.reduce((total, [, { ms }]) => total + ms, 0);
  const postmaster = postmasterOf(all, databaseUrl);
  return {
    gatewayMs: all.get(gatewayPid).ms,
    inferenceMs: sum(children(gatewayPid)),
    postgresMs: sum(children(postmaster)) + all.get(postmaster).ms,
  };
}

/** The server that was started for the address's port; its own children have no such arguments. */
function postmasterOf(all, databaseUrl) {
  const { port } = new URL(databaseUrl);
  const found = [...all.keys()].find((pid) => {
    const [command = '', ...given] = argumentsOf(pid);
    return /(^|\/)postgres$/.test(command) && given[given.indexOf('-p') + 1] === port;
  });
  if (found === undefined) throw new Error('No PostgreSQL of this machine was started for that port.');
  return found;
}

function argumentsOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

export async function writtenBytes(databaseUrl) {
  const [{ bytes }] = await query(databaseUrl, 'select wal_bytes::float8 as bytes from pg_stat_wal');
  return bytes;
}
