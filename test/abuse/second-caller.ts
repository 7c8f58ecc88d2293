import { Worker } from 'node:worker_threads';

/** Asks without a pause longer than this. */
const PAUSE_MS = 10;

/** Runs in a thread of its own: what the test itself is busy with does not count as waiting. */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const { Agent, request } = require('node:http');
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let slowestMs = 0, failures = 0, asked = 0;
const ask = () => {
  const started = performance.now();
  const done = (ok) => {
    slowestMs = Math.max(slowestMs, performance.now() - started);
    asked += 1;
    if (!ok) failures += 1;
    setTimeout(ask, ${PAUSE_MS});
  };
  const sent = request(workerData.url, { agent, headers: workerData.headers }, (answer) => { answer.resume(); answer.on('end', () => done(answer.statusCode === 200)); });
  sent.on('error', () => done(false));
  sent.end();
};
parentPort.on('message', () => { parentPort.postMessage({ slowestMs, failures, asked }); slowestMs = 0; failures = 0; asked = 0; });
ask();
`;

export interface Waiting {
  /** Longest wait for an answer. */
  readonly slowestMs: number;
  readonly failures: number;
  readonly asked: number;
}

/** Somebody else who uses the gateway meanwhile: how long do they wait? */
export class SecondCaller {
  private readonly thread: Worker;

  /** Asks /health/live, or what somebody with a key reads. */
  constructor(
    baseUrl: string,
    { path, key }: { readonly path: string; readonly key: string | null } = { path: '/health/live', key: null },
  ) {
    const headers = key === null ? {} : { authorization: `Bearer ${key}` };
    this.thread = new Worker(PROGRAM, { eval: true, workerData: { url: `${baseUrl}${path}`, headers } });
  }

  /** What was seen since the last call. */
  waited(): Promise<Waiting> {
    return new Promise((resolve) => {
      this.thread.once('message', resolve);
      this.thread.postMessage('waited');
    });
  }

  async stop(): Promise<void> {
    await this.thread.terminate();
  }
}
