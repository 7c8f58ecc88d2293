import pg from 'pg';
import {
  childrenMs,
  machineMs,
  postmasterOf,
  readProcesses,
  redisServerOf,
  residentMiB,
} from '../lib/processor-time.mjs';

const LOOK_EVERY_MS = 250;
const CONNECTIONS = `
  select application_name as role, count(*)::int as open, (count(*) filter (where state = 'active'))::int as active
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() group by 1`;
const WAITS = `
  select coalesce(wait_event_type || ' ' || wait_event, 'on the processor') as what, count(*)::int as seen
    from pg_stat_activity
   where datname = current_database() and pid <> pg_backend_pid() and state = 'active' group by 1`;
const WRITTEN = `
  select (select wal_bytes::float8 from pg_stat_wal) as wal, pg_database_size(current_database())::float8 as size,
         (select sum(fsyncs)::float8 from pg_stat_io where object = 'wal') as flushes,
         (select xact_commit::float8 from pg_stat_database where datname = current_database()) as commits`;

/**
 * Counts, from now until `end`, what a fleet takes: processor time of each kind of process, connections, what statements wait for, and bytes
 * that the database writes.
 */
export async function watchFleet({ fleet, databaseUrl, redisUrl, storePid }) {
  const client = new pg.Client({ connectionString: databaseUrl });
  // Where the bench fails, the server ends before the watch does.
  client.on('error', () => undefined);
  await client.connect();
  const pids = pidsOf(fleet, databaseUrl, redisUrl, storePid);
  const seen = { connections: 0, active: 0, waits: new Map() };
  const [before, began] = [await readAll(client, pids), performance.now()];
  let goesOn = true;
  const watching = (async () => {
    while (goesOn) {
      await look(client, seen);
      await new Promise((waited) => setTimeout(waited, LOOK_EVERY_MS));
    }
  })();
  // Its fault comes out of `end`.
  watching.catch(() => undefined);
  return {
    async end() {
      const [after, tookMs] = [await readAll(client, pids), performance.now() - began];
      goesOn = false;
      await watching;
      await client.end();
      return { tookMs, ...summary({ before, after, tookMs }), ...described(seen), memoryMiB: memoryOf(pids) };
    },
  };
}

function pidsOf(fleet, databaseUrl, redisUrl, storePid) {
  const all = readProcesses();
  const roots = (kind) => fleet.processesOf(kind).map(({ child }) => child.pid);
  return {
    gateway: roots('gateway'),
    worker: roots('worker'),
    postgres: [postmasterOf(all, databaseUrl)],
    ...(redisUrl === undefined ? {} : { redis: [redisServerOf(all, redisUrl)] }),
    ...(storePid === undefined ? {} : { 'object store': [storePid] }),
    'load driver': [process.pid],
  };
}

async function readAll(client, pids) {
  const all = readProcesses();
  // The bench has started all others, whose ended ones would count as its own.
  const ownMs = (kind, pid) => (kind === 'load driver' ? ownProcessorMs() : all.get(pid).ms + childrenMs(all, pid));
  const kindsMs = Object.fromEntries(
    Object.entries(pids).map(([kind, ids]) => [kind, ids.map((pid) => ownMs(kind, pid))]),
  );
  const { rows } = await client.query(WRITTEN);
  return { kindsMs, machine: machineMs(), written: rows[0] };
}

function ownProcessorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function look(client, seen) {
  const { rows: roles } = await client.query(CONNECTIONS);
  const sum = (figure) => roles.reduce((total, row) => total + row[figure], 0);
  seen.connections = Math.max(seen.connections, sum('open'));
  seen.active = Math.max(seen.active, sum('active'));
  const { rows: waits } = await client.query(WAITS);
  for (const { what, seen: times } of waits) seen.waits.set(what, (seen.waits.get(what) ?? 0) + times);
}

function summary({ before, after, tookMs }) {
  const cores = {};
  const busiest = {};
  for (const [kind, times] of Object.entries(after.kindsMs)) {
    const shares = times.map((ms, at) => (ms - before.kindsMs[kind][at]) / tookMs);
    cores[kind] = shares.reduce((total, share) => total + share, 0);
    busiest[kind] = Math.max(...shares);
  }
  const machine = {
    busyMs: after.machine.busyMs - before.machine.busyMs,
    totalMs: after.machine.totalMs - before.machine.totalMs,
  };
  const ours = Object.values(cores).reduce((total, share) => total + share, 0);
  return {
    cores,
    busiest,
    machineBusy: machine.busyMs / machine.totalMs,
    /** Cores that went to programs that are none of the simulation. */
    otherCores: Math.max(0, machine.busyMs / tookMs - ours),
    commits: after.written.commits - before.written.commits,
    walBytes: after.written.wal - before.written.wal,
    walFlushes: after.written.flushes - before.written.flushes,
    databaseBytes: after.written.size - before.written.size,
  };
}

function described({ connections, active, waits }) {
  const total = [...waits.values()].reduce((sum, times) => sum + times, 0);
  const shares = [...waits].toSorted(([, a], [, b]) => b - a).map(([what, times]) => [what, times / total]);
  return { connections, active, waits: Object.fromEntries(shares.slice(0, 5)) };
}

function memoryOf(pids) {
  return Object.fromEntries(
    ['gateway', 'worker'].map((kind) => [kind, Math.round(Math.max(0, ...pids[kind].map(residentMiB)))]),
  );
}
