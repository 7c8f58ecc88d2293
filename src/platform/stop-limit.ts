import { Worker } from 'node:worker_threads';

const WATCH = `const { workerData } = require('node:worker_threads'); setTimeout(() => process.kill(workerData.pid, 'SIGKILL'), workerData.limitMs);`;

/**
 * From now on this process ends after `limitMs` at the latest, even where its main thread is held up and no timer of its own can fire.
 * A process that ends before takes this with it.
 */
export function limitStop(limitMs: number): void {
  new Worker(WATCH, { eval: true, workerData: { pid: process.pid, limitMs }, stdout: true, stderr: true }).on('error', () => undefined).unref();
}
