import { Worker } from 'node:worker_threads';

const INTERVAL_MS = 1000;
const PROGRAM = `
const { workerData } = require('node:worker_threads');
setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
}, ${INTERVAL_MS});`;

/**
 * Ends this process within seconds of its parent's end, even while a run blocks the event loop, when no message of the
 * parent's end arrives: a hung run would otherwise hold its core and memory for ever.
 */
export function dieWithParent(): void {
  new Worker(PROGRAM, { eval: true, workerData: process.ppid }).unref();
}
