import { Worker } from 'node:worker_threads';

/** Longest shutdown, after which the process exits regardless. */
export const STOP_DEADLINE_MS = 29_000;
/** After this the process kills itself. Supervisors must wait longer. */
export const KILL_AFTER_MS = STOP_DEADLINE_MS + 500;

const WATCH = `const { workerData } = require('node:worker_threads'); setTimeout(() => process.kill(workerData.pid, 'SIGKILL'), workerData.limitMs);`;

/**
 * Kills this process after `limitMs` if it still runs, even if its main thread is held up and no timer of its own can
 * fire. Resolves once the limit is in force. The first process of a container cannot kill itself (pid_namespaces(7));
 * there the runtime's own limit ends it.
 */
export function limitStop(limitMs: number): Promise<void> {
  const watch = new Worker(WATCH, { eval: true, execArgv: [], workerData: { pid: process.pid, limitMs } });
  watch.on('error', () => undefined).unref();
  return new Promise((holds) => watch.once('online', () => holds()));
}
