import { Worker } from 'node:worker_threads';

const WATCH = `const { workerData } = require('node:worker_threads'); setTimeout(() => process.kill(workerData.pid, 'SIGKILL'), workerData.limitMs);`;

/**
 * From now on this process ends after `limitMs` at the latest, even where its main thread is held up and no timer of its own can fire.
 * A process that ends before takes this with it.
 * Resolves once the limit holds.
 */
export function limitStop(limitMs: number): Promise<void> {
  const watch = new Worker(WATCH, { eval: true, execArgv: [], workerData: { pid: process.pid, limitMs } });
  watch.on('error', () => undefined).unref();
  return new Promise((holds) => watch.once('online', () => holds()));
}
