import { readdirSync, readFileSync } from 'node:fs';

/** Of one tick of /proc, on every Linux that Node.js runs on. */
const TICK_MS = 10;
const PAGE_BYTES = 4096;

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

/** All processes of this machine by id: `{ parent, ms }`. */
export function readProcesses() {
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

/** Milliseconds of what a process has started and what still runs. */
export function childrenMs(all, pid) {
  return [...all.values()].filter(({ parent }) => parent === pid).reduce((sum, { ms }) => sum + ms, 0);
}

/** The PostgreSQL server that was started for the address's port; its own children have no such arguments. */
export function postmasterOf(all, databaseUrl) {
  const { port } = new URL(databaseUrl);
  const found = [...all.keys()].find((pid) => {
    const [command = '', ...given] = argumentsOf(pid);
    return /(^|\/)postgres$/.test(command) && given[given.indexOf('-p') + 1] === port;
  });
  if (found === undefined) throw new Error('No PostgreSQL of this machine was started for that port.');
  return found;
}

/** The Redis server behind an address, which writes its port into its own title. */
export function redisServerOf(all, redisUrl) {
  const { port } = new URL(redisUrl);
  const found = [...all.keys()].find((pid) => {
    const words = argumentsOf(pid).join(' ').trim().split(' ');
    return /(^|\/)redis-server$/.test(words[0]) && words.some((word) => word.endsWith(`:${port}`));
  });
  if (found === undefined) throw new Error('No Redis of this machine was started for that port.');
  return found;
}

function argumentsOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** Resident memory in MiB. */
export function residentMiB(pid) {
  return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / 1024 ** 2;
}

/** Milliseconds for which the cores of the machine were busy with anything, and for which they could have been. */
export function machineMs() {
  const ticks = readFileSync('/proc/stat', 'utf8').split('\n')[0].trim().split(/\s+/).slice(1, 9).map(Number);
  const [, , , idle, waiting] = ticks;
  const total = ticks.reduce((sum, value) => sum + value, 0) * TICK_MS;
  return { busyMs: total - (idle + waiting) * TICK_MS, totalMs: total };
}
