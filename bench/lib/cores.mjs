import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** Keeps a process, with all its threads, on these cores (Linux, taskset); what it starts afterwards stays there, too. */
export function keepOnCores(pid, cores) {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores.join(','), String(pid)], { stdio: 'ignore' });
}

/** keepOnCores for a process and all that it has started. */
export function keepTreeOnCores(pid, cores) {
  keepOnCores(pid, cores);
  for (const child of childrenOf(pid)) keepTreeOnCores(child, cores);
}

/** Inference processes of a gateway. */
export function inferenceChildrenOf(pid) {
  return childrenOf(pid).filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('inference-child'));
}

/** The server process behind a database address on this machine. */
export async function serverPidOf(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query('select pg_backend_pid() as pid');
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${rows[0].pid}/status`, 'utf8'))[1]);
  } finally {
    await client.end();
  }
}

function childrenOf(pid) {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
}
