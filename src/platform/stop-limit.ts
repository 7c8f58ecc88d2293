import { Worker } from 'node:worker_threads';

const WATCH = `const { workerData } = require('node:worker_threads'); setTimeout(() => process.kill(workerData.pid, 'SIGKILL'), workerData.limitMs);`;

/**
 * Kills this process after `limitMs` if it still runs, even if its main thread is held up and no timer of its own can
 * fire. Resolves once the limit is in force.
 */
export function limitStop(limitMs: number): Promise<void> {
  const watch = new Worker(WATCH, { eval: true, execArgv: [], workerData: { pid: process.pid, limitMs } });
  watch.on('error', () => undefined).unref();
  return new Promise((holds) => watch.once('online', () => holds()));
}
